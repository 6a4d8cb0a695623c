/* test_peak.c - the running sum's maximum, by hand.
   At equal time a free comes first; the first time of the maximum counts.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "peak.h"

static struct hp_peak peak_of(struct hp_span *spans, size_t count) {
  struct hp_peak peak;
  struct hp_error error;
  assert_int_equal(hp_peak_of(spans, count, &peak, &error), HP_OK);
  return peak;
}

static void nothing_peaks_at_zero(void **state) {
  (void)state;
  assert_int_equal(peak_of(NULL, 0).bytes, 0);
}

static void overlap_adds_up(void **state) {
  (void)state;
  struct hp_span spans[] = {{0, 10, 5}, {3, 6, 7}, {8, 20, 4}};
  const struct hp_peak peak = peak_of(spans, 3);
  assert_int_equal(peak.bytes, 12);
  assert_int_equal(peak.time, 3);
}

static void free_comes_before_an_allocation_of_the_same_time(void **state) {
  (void)state;
  struct hp_span spans[] = {{0, 10, 100}, {10, 20, 100}};
  const struct hp_peak peak = peak_of(spans, 2);
  assert_int_equal(peak.bytes, 100);
  assert_int_equal(peak.time, 0);
}

static void first_time_of_the_maximum_counts(void **state) {
  (void)state;
  struct hp_span spans[] = {{50, 60, 8}, {0, 10, 8}, {20, 30, 8}};
  assert_int_equal(peak_of(spans, 3).time, 0);
}

static void order_of_the_spans_does_not_matter(void **state) {
  (void)state;
  struct hp_span spans[] = {{8, 20, 4}, {3, 6, 7}, {0, 10, 5}};
  assert_int_equal(peak_of(spans, 3).bytes, 12);
}

static void peak_may_be_reached_by_the_last_operation(void **state) {
  (void)state;
  struct hp_span spans[] = {{0, 100, 1}, {99, 100, 9}};
  const struct hp_peak peak = peak_of(spans, 2);
  assert_int_equal(peak.bytes, 10);
  assert_int_equal(peak.time, 99);
}

static void sum_beyond_64_bits_saturates_and_comes_back(void **state) {
  (void)state;
  struct hp_span spans[] = {
      {0, 10, UINT64_MAX}, {5, 10, UINT64_MAX}, {20, 30, 7}};
  assert_true(peak_of(spans, 3).bytes == UINT64_MAX);
  struct hp_span after[] = {{0, 10, 3}, {20, 30, 7}};
  assert_int_equal(peak_of(after, 2).bytes, 7);
}

static void chunk_lives_at_least_a_tick(void **state) {
  (void)state;
  const struct hp_chunk_log same = {.t0 = 5, .t1 = 5, .size = 4};
  struct hp_span span = hp_chunk_life(&same, 100);
  assert_int_equal(span.begin, 5);
  assert_int_equal(span.end, 6);
  const struct hp_chunk_log back = {.t0 = 5, .t1 = 2, .size = 4};
  span = hp_chunk_life(&back, 100);
  assert_int_equal(span.end, 6);
  assert_int_equal(peak_of(&span, 1).bytes, 4);
}

static void live_chunk_outlasts_the_window(void **state) {
  (void)state;
  const struct hp_chunk_log live = {
      .t0 = 5, .t1 = 100, .size = 4, .flags = HP_CHUNK_LIVE};
  const struct hp_span span = hp_chunk_life(&live, 100);
  assert_true(hp_span_covers(&span, 100));
  assert_false(hp_span_covers(&span, 101));
  assert_false(hp_span_covers(&span, 4));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_peaks_at_zero),
      cmocka_unit_test(overlap_adds_up),
      cmocka_unit_test(free_comes_before_an_allocation_of_the_same_time),
      cmocka_unit_test(first_time_of_the_maximum_counts),
      cmocka_unit_test(order_of_the_spans_does_not_matter),
      cmocka_unit_test(peak_may_be_reached_by_the_last_operation),
      cmocka_unit_test(sum_beyond_64_bits_saturates_and_comes_back),
      cmocka_unit_test(chunk_lives_at_least_a_tick),
      cmocka_unit_test(live_chunk_outlasts_the_window),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
