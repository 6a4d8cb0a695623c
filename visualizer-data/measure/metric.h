/* metric.h - the metrics of docs/metrics.md, from the summary of one point.
   Pure: sums and rules in, numbers out; the one implementation of them.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_METRIC_H
#define HP_METRIC_H

#include "heapprof.h"
#include "measure/summary.h"
#include "measure/tally.h"

/* tau = floor(p * window). */
uint64_t hp_rules_tau(double p, uint64_t window);

/* The least life that is not below SHORT_NS. */
uint64_t hp_rules_short_ticks(uint64_t short_ns, uint64_t ticks_per_second);

uint64_t hp_ticks_to_ns(uint64_t ticks, uint64_t ticks_per_second);

/* S with groups by a tau that is not greater than the rules', and with the
   rules' short_ticks. */
void hp_tally_summary(struct hp_tally *tally, const struct hp_summary *s,
                      const struct hp_rules *rules);

/* What is known of chunks that were cut up. */
void hp_blocks_measure(struct hp_tally *tally, const struct hp_block_sum *sum);

/* Nobody knows what was accessed: leaves what does not depend on it, and the
   accesses that were seen. */
void hp_tally_forget_accesses(struct hp_tally *tally);

/* *SUM starts as {0}. */
void hp_tally_add(struct hp_tally *sum, const struct hp_tally *tally);

/* Fills what TALLY says of *POINT: all but identity, stack, peaks, top_bytes
   and top_chunks. */
void hp_tally_finish(const struct hp_tally *tally, struct hp_point *point);

/* Scores floored at 0.01, geometric mean; HP_NULL_SCORE if none is defined. */
double hp_severity(const struct hp_scores *scores);
int hp_colour(double severity); /* 0 (best) .. 11; -1 for HP_NULL_SCORE */

#endif
