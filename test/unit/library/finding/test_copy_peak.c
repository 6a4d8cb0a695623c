/* test_copy_peak.c - what copies cost of the peak, by hand.
   Old and new side by side, the last one half empty; nothing where the numbers do not say so.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "finding/copy_peak.h"

/* Chunks of 8, 16, ..., 1024 bytes, of which the last is used for 520. */
static struct hp_point grown_once(void) {
  return (struct hp_point){
      .accesses_known = true,
      .chunks = 8,
      .bytes = 2040,
      .bytes_accessed = 2040 - 504,
      .bytes_at_global_peak = 1024,
      .peak_touched_bytes = 1024,
      .growth = {.length = 8, .first_size = 8, .last_size = 1024},
      .grown = {.chains = 1, .chunks = 8, .bytes = 2040, .copied_bytes = 1016}};
}

static void what_the_last_one_is_not_used_for(void **state) {
  (void)state;
  const struct hp_point p = grown_once();
  assert_int_equal(hp_growth_at_peak(&p), 504);
}

/* Of chunks that do not grow, and are not full, nothing is told. */
static void as_far_as_chunks_are_in_chains(void **state) {
  (void)state;
  struct hp_point p = grown_once();
  p.bytes += 6120;
  p.chunks += 60;
  p.bytes_accessed += 6120 - 1512;
  p.bytes_at_global_peak = p.peak_touched_bytes = 8160;
  assert_int_equal(hp_growth_at_peak(&p), 504);
  p.bytes_at_global_peak = p.peak_touched_bytes = 2048;
  assert_int_equal(hp_growth_at_peak(&p), 252);
}

static void old_beside_new(void **state) {
  (void)state;
  struct hp_point p = grown_once();
  p.bytes_accessed = p.bytes;
  p.bytes_at_global_peak = p.peak_touched_bytes = 1024 + 512;
  assert_int_equal(hp_growth_at_peak(&p), 512);
  p.grown.chains = 2; /* the other bytes may be a chunk of the other chain */
  assert_int_equal(hp_growth_at_peak(&p), 0);
}

static void pages_of_large_ones_come_one_by_one(void **state) {
  (void)state;
  struct hp_point p = grown_once();
  const uint64_t last = (uint64_t)1 << 20;
  p.growth.last_size = last;
  p.bytes = p.grown.bytes = 2 * last;
  p.grown.copied_bytes = last;
  p.bytes_accessed = p.bytes; /* full: as much as old and copy together */
  p.bytes_at_global_peak = p.peak_touched_bytes = last + last / 2;
  assert_int_equal(hp_growth_at_peak(&p), 0);
  p.bytes_accessed = p.bytes - last / 4;
  assert_true(hp_growth_at_peak(&p) >= last / 4);
  assert_true(hp_growth_at_peak(&p) <= last / 4 + 3 * 4096);
}

static void nothing_where_accesses_are_not_known(void **state) {
  (void)state;
  struct hp_point p = grown_once();
  p.accesses_known = false;
  assert_int_equal(hp_growth_at_peak(&p), 0);
  p = grown_once();
  p.grown.copied_bytes = p.grown.bytes;
  assert_int_equal(hp_growth_at_peak(&p), 0);
}

static void a_sort_is_told_by_the_fall_behind_it(void **state) {
  (void)state;
  const struct hp_interval intervals[] = {{.end_ns = 10, .bytes_max = 500},
                                          {.end_ns = 20, .bytes_max = 900},
                                          {.end_ns = 30, .bytes_max = 600}};
  struct hp_process process = {.peak_bytes = 900,
                               .peak_ns = 15,
                               .intervals = intervals,
                               .interval_count = 3};
  struct hp_point p = {.process = &process, .first_ns = 5, .last_begun_ns = 18};
  assert_int_equal(hp_dropped_behind(&p), 300);
  p.last_begun_ns = 14; /* the peak was later */
  assert_int_equal(hp_dropped_behind(&p), 0);
  p.last_begun_ns = 25; /* nothing is known of what came then */
  assert_int_equal(hp_dropped_behind(&p), 0);
  p.process = NULL;
  assert_int_equal(hp_dropped_behind(&p), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_the_last_one_is_not_used_for),
      cmocka_unit_test(as_far_as_chunks_are_in_chains),
      cmocka_unit_test(old_beside_new),
      cmocka_unit_test(pages_of_large_ones_come_one_by_one),
      cmocka_unit_test(nothing_where_accesses_are_not_known),
      cmocka_unit_test(a_sort_is_told_by_the_fall_behind_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
