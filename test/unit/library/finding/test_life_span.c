/* test_life_span.c - life_span.h: half of the chunks, over points of several clocks.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "finding/life_span.h"

/* A point of LOWEST and further digits of ticks, of which there are PER_NS in one. */
static struct hp_life_spans spans_of(double per_ns, unsigned lowest,
                                     unsigned count, const uint64_t *counts) {
  const struct hp_process process = {.ticks_per_ns = per_ns};
  const struct hp_point p = {
      .process = &process,
      .lives = {.lowest = lowest, .count = count, .counts = counts}};
  struct hp_life_spans spans;
  hp_life_spans_of(&spans, &p);
  return spans;
}

static void half_of_them_live_no_longer(void **state) {
  (void)state;
  static const uint64_t mostly_short[] = {6, 0, 0, 5},
                        mostly_long[] = {4, 0, 0, 5};
  struct hp_life_spans spans = spans_of(1, 5, 4, mostly_short);
  assert_float_equal(hp_life_spans_half(&spans), 32, 0);
  spans = spans_of(1, 5, 4, mostly_long);
  assert_float_equal(hp_life_spans_half(&spans), 256, 0);
}

/* 32 ticks of 6 ns are 192 ns, which is below 256. */
static void ticks_are_rounded_up_to_a_power_of_two(void **state) {
  (void)state;
  static const uint64_t counts[] = {9};
  const struct hp_life_spans spans = spans_of(1 / 6.0, 5, 1, counts);
  assert_float_equal(hp_life_spans_half(&spans), 256, 0);
}

static void points_add_up_whatever_their_clocks(void **state) {
  (void)state;
  static const uint64_t few[] = {3}, many[] = {4};
  struct hp_life_spans all = spans_of(1, 4, 1, few);
  const struct hp_life_spans more = spans_of(0.25, 4, 1, many);
  hp_life_spans_add(&all, &more);
  assert_float_equal(hp_life_spans_half(&all), 64, 0);
}

static void the_longest_lives_are_one_span(void **state) {
  (void)state;
  static const uint64_t counts[] = {1};
  const struct hp_life_spans spans = spans_of(1, 63, 1, counts);
  assert_float_equal(hp_life_spans_half(&spans),
                     (float)(1ull << (HP_LIFE_SPANS - 1)), 0);
}

static void what_is_not_known_has_no_half(void **state) {
  (void)state;
  static const uint64_t counts[] = {5};
  struct hp_life_spans spans = spans_of(1, 5, 0, NULL);
  assert_float_equal(hp_life_spans_half(&spans), 0, 0);
  spans = spans_of(0, 5, 1, counts);
  assert_float_equal(hp_life_spans_half(&spans), 0, 0);
  const struct hp_point nowhere = {.lives = {.count = 1, .counts = counts}};
  hp_life_spans_of(&spans, &nowhere);
  assert_float_equal(hp_life_spans_half(&spans), 0, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(half_of_them_live_no_longer),
      cmocka_unit_test(ticks_are_rounded_up_to_a_power_of_two),
      cmocka_unit_test(points_add_up_whatever_their_clocks),
      cmocka_unit_test(the_longest_lives_are_one_span),
      cmocka_unit_test(what_is_not_known_has_no_half)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
