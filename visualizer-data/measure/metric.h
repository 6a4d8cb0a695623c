/* metric.h - the metrics of docs/metrics.md, from the summary of one point.
   Pure: sums and rules in, numbers out; the one implementation of them.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_METRIC_H
#define HP_METRIC_H

#include "heapprof.h"
#include "measure/summary.h"

/* tau = floor(p * window). */
uint64_t hp_rules_tau(double p, uint64_t window);

/* The least life that is not below SHORT_NS. */
uint64_t hp_rules_short_ticks(uint64_t short_ns, uint64_t ticks_per_second);

uint64_t hp_ticks_to_ns(uint64_t ticks, uint64_t ticks_per_second);

/* Mean and sum of squared distances from it. */
struct hp_spread {
  uint64_t count;
  double mean, squares;
};

struct hp_range {
  uint64_t count, min, max; /* min, max: nothing if count = 0 */
  hp_u128 sum;
};

/* Everything that is known of the chunks of one point, in a form that can be
   added up: the tally of a group is the sum of its points' tallies. */
struct hp_tally {
  uint64_t chunks, bytes, live_chunks, live_bytes;
  struct hp_range size, lifetime_ns;
  uint64_t reads, writes, bytes_accessed, elements;
  bool counts_saturated;
  uint64_t unknown_points, unknown_chunks; /* accesses are not known */
  bool shared; /* code without hooks may access chunks, too */

  /* scores: over the chunks that take part in them */
  uint64_t scored;             /* chunks */
  uint64_t groups, singletons; /* lifetime score */
  double group_sum;            /* sum of S_g */
  uint64_t used, usable;       /* usage score: numerator, denominator */
  double active_sum;           /* sum of a, estimates of the unknown included */
  double active_error;         /* sum of the chunks' error bounds */
  uint64_t orphans;        /* unknown chunks without a sample of their own */
  struct hp_spread sample; /* E: a of the chosen chunks */

  /* sampling: as struct hp_sampling has it, a in [0, 1] */
  uint64_t samples;
  double v, vss, vsy, vyy, known_v, va, vaa;
  double unseen; /* square of the bytes that no sample may have hit */

  /* inferences */
  struct hp_inference_value inferences[HP_INF_COUNT]; /* flagged: not yet */
  uint64_t accessed, late_judged, coverage_judged;    /* chunks */
  struct hp_growth_sum growth[HP_CHAIN_COUNT];
  uint64_t held_chunks, held_bytes;
};

static inline bool hp_is_accessed(const struct hp_class_sum *class) {
  return class->classes & (HP_CLASS_READ | HP_CLASS_WRITTEN);
}

/* S with groups by a tau that is not greater than the rules', and with the
   rules' short_ticks. */
void hp_tally_summary(struct hp_tally *tally, const struct hp_summary *s,
                      const struct hp_rules *rules);

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
