/* metric_fixture.c - see metric_fixture.h.
   Ticks are nanoseconds unless a test says.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "metric_fixture.h"

void assert_near(double actual, double expected, const char *file, int line) {
  if (fabs(actual - expected) < 1e-9)
    return;
  print_error("%.15g instead of %.15g\n", actual, expected);
  _fail(file, line);
}

const struct hp_rules plain = {.window = 10000,
                               .tau = 10,
                               .ticks_per_second = 1000000000,
                               .short_ticks = 1};

const struct hp_rules coarse = {.window = 10000,
                                .tau = 10,
                                .ticks_per_second = 1000000000,
                                .short_ticks = 1};

void tally_chunks(struct hp_tally *tally, const struct hp_chunk_log *chunks,
                  size_t count, const struct hp_rules *rules) {
  struct hp_summary summary;
  struct hp_store store = {0};
  struct hp_error error;
  struct hp_chunks packed = {0};
  for (size_t i = 0; i < count; i++) {
    struct hp_chunk_log weighed = chunks[i];
    weighed.weight = weighed.weight ? weighed.weight : 1;
    assert_true(hp_chunks_add(&packed, &weighed));
  }
  assert_int_equal(
      hp_summary_of_chunks(&summary, &store, &store, &packed, rules, 0, &error),
      HP_OK);
  hp_tally_summary(tally, &summary, rules);
  hp_chunks_free(&packed);
  hp_store_free(&store);
}

struct hp_point measure(const struct hp_chunk_log *chunks, size_t count,
                        const struct hp_rules *rules) {
  struct hp_tally tally;
  struct hp_point point = {0};
  tally_chunks(&tally, chunks, count, rules);
  hp_tally_finish(&tally, &point);
  return point;
}

uint64_t held(const struct hp_point *point, enum hp_inference i) {
  return point->inferences[i].chunks;
}

struct hp_chunk_log used(uint64_t t0, uint64_t t1, uint64_t size) {
  return (struct hp_chunk_log){.t0 = t0,
                               .t1 = t1,
                               .first = t0,
                               .last = t1,
                               .size = size,
                               .hi = size,
                               .reads = 1,
                               .writes = 1,
                               .point = 1,
                               .thread = 1,
                               .free_thread = 1};
}

struct hp_chunk_log idle(uint64_t t0, uint64_t t1, uint64_t size) {
  return (struct hp_chunk_log){.t0 = t0,
                               .t1 = t1,
                               .size = size,
                               .point = 1,
                               .thread = 1,
                               .free_thread = 1};
}

struct hp_chunk_log living(struct hp_chunk_log chunk) {
  chunk.flags |= HP_CHUNK_LIVE;
  chunk.free_thread = 0;
  return chunk;
}

struct hp_chunk_log active(uint64_t t0, uint64_t life, uint64_t span,
                           uint32_t flags) {
  struct hp_chunk_log chunk = used(t0, t0 + life, 8);
  chunk.last = t0 + span;
  chunk.flags = flags;
  chunk.step = 10;
  return chunk;
}

struct hp_chunk_log counted(uint64_t reads, uint64_t writes, uint32_t flags) {
  struct hp_chunk_log chunk = used(0, 100, 8);
  chunk.reads = reads;
  chunk.writes = writes;
  chunk.flags = flags;
  return chunk;
}
