/* test_timeline.c - intervals keep minimum and maximum, also when two become one.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/timeline.h"
#include "system_double.h"

#include <string.h>

#define LENGTH ((uint64_t)1 << HP_TIMELINE_SHIFT) /* of an interval at first */

static struct hp_timeline timeline;

static int start(void **state) {
  (void)state;
  memset(&timeline, 0, sizeof timeline);
  return 0;
}

static void events_widen_their_interval(void **state) {
  (void)state;
  hp_timeline_begin(&timeline, 1, 100, 1, 1, 100);
  hp_timeline_begin(&timeline, 2, 300, 2, 1, 200);
  hp_timeline_end(&timeline, 3, 200, 1);
  const struct hp_timeline_interval *open = &timeline.intervals[0];
  assert_int_equal(open->bytes_min, 0); /* before the first event */
  assert_int_equal(open->bytes_max, 300);
  assert_int_equal(open->chunks_max, 2);
  assert_int_equal(open->allocations, 2);
  assert_int_equal(open->bytes, 300);
}

/* Nothing happens for some intervals: what is live stays live in them. */
static void quiet_intervals_have_what_is_live(void **state) {
  (void)state;
  hp_timeline_begin(&timeline, 0, 70, 1, 1, 70);
  hp_timeline_end(&timeline, 5 * LENGTH, 0, 0);
  for (size_t i = 1; i <= 4; i++) {
    assert_int_equal(timeline.intervals[i].bytes_min, 70);
    assert_int_equal(timeline.intervals[i].bytes_max, 70);
    assert_int_equal(timeline.intervals[i].allocations, 0);
  }
  assert_int_equal(timeline.intervals[5].bytes_min, 0);
  assert_int_equal(timeline.intervals[5].bytes_max, 70);
}

/* A peak of one short interval is still there after many doublings. */
static void a_peak_survives(void **state) {
  (void)state;
  hp_timeline_begin(&timeline, 10 * LENGTH, 9000, 9, 9, 9000);
  hp_timeline_end(&timeline, 10 * LENGTH + 1, 0, 0);
  hp_timeline_advance(&timeline, 1000 * HP_TIMELINE_MAX * LENGTH);
  assert_true(timeline.doubled >= 9);
  assert_true(timeline.last < HP_TIMELINE_MAX);
  uint64_t most = 0, least = UINT64_MAX, begun = 0;
  for (uint32_t i = 0; i <= timeline.last; i++) {
    const struct hp_timeline_interval *interval = &timeline.intervals[i];
    most = interval->bytes_max > most ? interval->bytes_max : most;
    least = interval->bytes_min < least ? interval->bytes_min : least;
    begun += interval->allocations;
  }
  assert_int_equal(most, 9000);
  assert_int_equal(least, 0);
  assert_int_equal(begun, 9);
}

/* The last one of an odd number has no neighbour. */
static void an_odd_interval_is_kept(void **state) {
  (void)state;
  hp_timeline_begin(&timeline, (HP_TIMELINE_MAX - 1) * LENGTH, 5, 1, 1, 5);
  uint32_t before = timeline.last;
  hp_timeline_advance(&timeline, HP_TIMELINE_MAX * LENGTH);
  assert_int_equal(before, HP_TIMELINE_MAX - 1);
  assert_int_equal(timeline.last, HP_TIMELINE_MAX / 2);
  assert_int_equal(timeline.intervals[before / 2].allocations, 1);
}

static void what_comes_late_counts_for_the_open_one(void **state) {
  (void)state;
  hp_timeline_begin(&timeline, 3 * LENGTH, 1, 1, 1, 1);
  hp_timeline_begin(&timeline, LENGTH, 2, 2, 1, 1);
  assert_int_equal(timeline.last, 3);
  assert_int_equal(timeline.intervals[3].allocations, 2);
}

static void bytes_saturate(void **state) {
  (void)state;
  hp_timeline_begin(&timeline, 0, 1, 1, 1, UINT64_MAX);
  hp_timeline_begin(&timeline, 0, 1, 1, 1, 2);
  assert_true(timeline.intervals[0].bytes == UINT64_MAX);
}

static void a_record_for_each_up_to_the_end(void **state) {
  (void)state;
  struct hp_bytes to = {0}, scratch = {0};
  hp_timeline_begin(&timeline, 0, 1, 1, 1, 1);
  assert_int_equal(hp_timeline_put(&timeline, &to, &scratch, 2 * LENGTH + 1),
                   3);
  assert_int_equal(scratch.size, 0);
  assert_true(to.size > 3);
  hp_bytes_free(&to);
  hp_bytes_free(&scratch);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(events_widen_their_interval, start),
      cmocka_unit_test_setup(quiet_intervals_have_what_is_live, start),
      cmocka_unit_test_setup(a_peak_survives, start),
      cmocka_unit_test_setup(an_odd_interval_is_kept, start),
      cmocka_unit_test_setup(what_comes_late_counts_for_the_open_one, start),
      cmocka_unit_test_setup(bytes_saturate, start),
      cmocka_unit_test_setup(a_record_for_each_up_to_the_end, start),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
