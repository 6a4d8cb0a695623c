/* test_clock.c - ticks: exact readings, the coarse word, how long it stood still, the rate.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "options/options.h"
#include "system/clock.h"
#include "system_double.h"

static int start(void **state) {
  (void)state;
  hp_clock_start_window(1000, false);
  return 0;
}

static void readings_ascend(void **state) {
  (void)state;
  uint64_t before = hp_clock_now();
  for (int i = 0; i < 1000; i++) {
    uint64_t now = hp_clock_now();
    assert_true(now >= before);
    before = now;
  }
  assert_true(hp_clock_window_start <= before);
}

/* One ticks 16 times more seldom than the counter, the other once a ns. */
static void the_rate_is_of_the_clock_in_use(void **state) {
  (void)state;
  uint64_t rate = hp_clock_ticks_per_second();
  if (hp_clock_is_tsc)
    assert_true(rate > 10000000u && rate < 1000000000u);
  else
    assert_int_equal(rate, 1000000000u);
  uint64_t expected = rate / 1000; /* a period is a ms */
  assert_true(hp_clock_period > expected / 2 && hp_clock_period < expected * 2);
}

static void a_step_notes_how_long_it_took(void **state) {
  (void)state;
  uint64_t then = hp_clock_coarse;
  hp_clock_step(then + 7 * hp_clock_period);
  assert_int_equal(hp_clock_coarse, then + 7 * hp_clock_period);
  assert_int_equal(hp_clock_longest_step, 7 * hp_clock_period);
  hp_clock_step(hp_clock_coarse + 1); /* a shorter one changes nothing */
  assert_int_equal(hp_clock_longest_step, 7 * hp_clock_period);
}

/* Two threads step, and the later reading comes first. */
static void no_step_goes_back(void **state) {
  (void)state;
  uint64_t then = hp_clock_coarse;
  hp_clock_step(then - 5);
  assert_int_equal(hp_clock_coarse, then);
  assert_int_equal(hp_clock_longest_step, hp_clock_period);
}

static void events_step_a_late_clock(void **state) {
  (void)state;
  uint64_t coarse = hp_clock_coarse;
  hp_clock_noted(coarse + 2 * hp_clock_period); /* not late yet */
  assert_int_equal(hp_clock_coarse, coarse);
  hp_clock_noted(coarse + 2 * hp_clock_period + 1);
  assert_int_equal(hp_clock_coarse, coarse + 2 * hp_clock_period + 1);
}

static void the_open_step_counts(void **state) {
  (void)state;
  uint64_t now = hp_clock_coarse + 100 * hp_clock_period;
  assert_int_equal(hp_clock_longest(now), 100 * hp_clock_period);
  assert_int_equal(hp_clock_chunk_step(now), 100 * hp_clock_period);
  assert_int_equal(hp_clock_chunk_step(hp_clock_coarse + ((uint64_t)1 << 40)),
                   UINT32_MAX);
  hp_clock_is_exact = true;
  assert_int_equal(hp_clock_chunk_step(now), 0);
}

int main(void) {
  double_start();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(readings_ascend, start),
      cmocka_unit_test_setup(the_rate_is_of_the_clock_in_use, start),
      cmocka_unit_test_setup(a_step_notes_how_long_it_took, start),
      cmocka_unit_test_setup(no_step_goes_back, start),
      cmocka_unit_test_setup(events_step_a_late_clock, start),
      cmocka_unit_test_setup(the_open_step_counts, start),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
