/* metric_fixture.h - chunks and their metrics, for tests of the formulas.
   The log's way: chunks, summary, tally, point.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_METRIC_FIXTURE_H
#define HP_METRIC_FIXTURE_H

#include "measure/metric.h"

/* cmocka's own comparison is in float, which hides errors of 1e-7.  Shares have
   steps of 2^-32. */
#define ASSERT_NEAR(actual, expected)                                          \
  assert_near(actual, expected, __FILE__, __LINE__)
#define TALLY(point, rules, chunks)                                            \
  const struct hp_point point =                                                \
      measure(chunks, sizeof chunks / sizeof *chunks, rules)

void assert_near(double actual, double expected, const char *file, int line);

/* An exact clock, tau = 10, nothing short. */
extern const struct hp_rules plain;

/* A coarse clock of steps of 10, small enough for chunks that live for at least
   200. */
extern const struct hp_rules coarse;

/* A weight of 0 stands for 1. */
void tally_chunks(struct hp_tally *tally, const struct hp_chunk_log *chunks,
                  size_t count, const struct hp_rules *rules);
struct hp_point measure(const struct hp_chunk_log *chunks, size_t count,
                        const struct hp_rules *rules);
uint64_t held(const struct hp_point *point, enum hp_inference i);

/* Used from its first to its last byte. */
struct hp_chunk_log used(uint64_t t0, uint64_t t1, uint64_t size);
struct hp_chunk_log idle(uint64_t t0, uint64_t t1, uint64_t size);
struct hp_chunk_log living(struct hp_chunk_log chunk);
/* By the coarse clock used from its beginning on for SPAN ticks. */
struct hp_chunk_log active(uint64_t t0, uint64_t life, uint64_t span,
                           uint32_t flags);
struct hp_chunk_log counted(uint64_t reads, uint64_t writes, uint32_t flags);

#endif
