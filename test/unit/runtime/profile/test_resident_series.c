/* test_resident_series.c - least and most of what was seen, in intervals of the
   timeline's lengths; what nobody saw is no number.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/resident_series.h"

#include "profile/timeline.h"
#include "system_double.h"

#include <string.h>

#define LENGTH ((uint64_t)1 << HP_TIMELINE_SHIFT) /* of an interval at first */

static struct hp_resident_series series;

static int start(void **state) {
  (void)state;
  memset(&series, 0, sizeof series);
  hp_resident_series_start();
  return 0;
}

static void assert_seen(uint32_t i, uint64_t least, uint64_t most) {
  assert_int_equal(series.intervals[i].least, least);
  assert_int_equal(series.intervals[i].most, most);
}

static void least_and_most_of_an_interval(void **state) {
  (void)state;
  hp_resident_series_add(&series, 2 * LENGTH, 50);
  hp_resident_series_add(&series, 2 * LENGTH + 1, 20);
  hp_resident_series_add(&series, 3 * LENGTH - 1, 30);
  hp_resident_series_add(&series, LENGTH, 9); /* late, and where it belongs */
  assert_seen(0, 0, 0);
  assert_seen(1, 9, 9);
  assert_seen(2, 20, 50);
  assert_int_equal(series.last, 2);
}

static void neighbours_become_one_and_keep_both_ends(void **state) {
  (void)state;
  hp_resident_series_add(&series, 0, 7);
  hp_resident_series_add(&series, 2 * LENGTH, 50);
  hp_resident_series_add(&series, 3 * LENGTH, 20);
  hp_resident_series_add(&series, (HP_TIMELINE_MAX - 1) * LENGTH, 1);
  hp_resident_series_add(&series, HP_TIMELINE_MAX * LENGTH, 3);
  assert_int_equal(series.doubled, 1);
  assert_seen(0, 7, 7); /* with one that nobody saw */
  assert_seen(1, 20, 50);
  assert_seen(2, 0, 0);
  assert_seen(HP_TIMELINE_MAX / 2 - 1, 1, 1);
  assert_seen(HP_TIMELINE_MAX / 2, 3, 3);
  assert_seen(HP_TIMELINE_MAX - 1, 0, 0);
}

static void the_longest_run_has_room(void **state) {
  (void)state;
  hp_resident_series_add(&series, 5, 4096);
  hp_resident_series_add(&series, UINT64_MAX >> 1, 8192);
  assert_seen(0, 4096, 4096);
  assert_seen(series.last, 8192, 8192);
  assert_true(series.last < HP_TIMELINE_MAX);
}

static uint64_t take_number(const uint8_t **at) {
  uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const uint8_t byte = *(*at)++;
    value |= (uint64_t)(byte & 127) << shift;
    if (byte < 128)
      return value;
  }
}

/* U64 fields of the record at *AT, by tag; absent 0. */
static void take_record(const uint8_t **at, uint64_t fields[16]) {
  memset(fields, 0, 16 * sizeof *fields);
  const uint64_t size = take_number(at);
  for (const uint8_t *end = *at + size; *at < end;) {
    const uint64_t tag = take_number(at);
    assert_true(tag < 16);
    take_number(at); /* its length */
    fields[tag] = take_number(at);
  }
}

static void the_timeline_tells_it(void **state) {
  (void)state;
  static struct hp_timeline timeline;
  struct hp_bytes to = {0}, scratch = {0};
  memset(&timeline, 0, sizeof timeline);
  hp_timeline_begin(&timeline, 1, 100, 1, 1, 100);
  hp_resident_note(LENGTH, 5);
  hp_resident_note(LENGTH + 1, 6);
  hp_resident_note(0, 0); /* not known */
  assert_int_equal(hp_timeline_put(&timeline, &to, &scratch, 2 * LENGTH + 1),
                   3);
  const uint8_t *at = (const uint8_t *)to.data;
  uint64_t fields[16];
  take_record(&at, fields);
  assert_int_equal(fields[HP_TIMELINE_resident_max], 0);
  take_record(&at, fields);
  assert_int_equal(fields[HP_TIMELINE_resident_min], 5);
  assert_int_equal(fields[HP_TIMELINE_resident_max], 6);
  hp_bytes_free(&to);
  hp_bytes_free(&scratch);
}

/* Whichever went further, or was looked at later. */
static void both_have_intervals_of_one_length(void **state) {
  (void)state;
  static struct hp_timeline timeline;
  struct hp_bytes to = {0}, scratch = {0};
  for (int further = 0; further < 2; further++) {
    start(state);
    memset(&timeline, 0, sizeof timeline);
    hp_timeline_begin(&timeline, 1, 100, 1, 1, 100);
    hp_resident_note(1, 5);
    assert_int_equal(hp_resident_series_step(), LENGTH);
    if (further) {
      hp_resident_note(4 * HP_TIMELINE_MAX * LENGTH, 9);
      assert_int_equal(hp_resident_series_step(), 8 * LENGTH);
    } else
      hp_timeline_end(&timeline, 4 * HP_TIMELINE_MAX * LENGTH, 0, 0);
    hp_timeline_put(&timeline, &to, &scratch, HP_TIMELINE_MAX * LENGTH);
    const uint8_t *at = (const uint8_t *)to.data;
    uint64_t fields[16];
    take_record(&at, fields);
    assert_int_equal(fields[HP_TIMELINE_end], 8 * LENGTH);
    assert_int_equal(fields[HP_TIMELINE_resident_max], 5);
    hp_bytes_free(&to);
    hp_bytes_free(&scratch);
  }
}

/* As a child of fork finds it, whose parent was just noting something. */
static void a_lock_that_was_left_taken(void **state) {
  (void)state;
  assert_non_null(hp_resident_open_series());
  assert_null(hp_resident_open_series());
  hp_resident_note(1, 5); /* left out, and does not wait */
  hp_resident_series_start();
  struct hp_resident_series *own = hp_resident_open_series();
  assert_non_null(own);
  assert_int_equal(own->intervals[0].most, 0);
  hp_resident_close_series();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(least_and_most_of_an_interval, start),
      cmocka_unit_test_setup(neighbours_become_one_and_keep_both_ends, start),
      cmocka_unit_test_setup(the_longest_run_has_room, start),
      cmocka_unit_test_setup(the_timeline_tells_it, start),
      cmocka_unit_test_setup(both_have_intervals_of_one_length, start),
      cmocka_unit_test_setup(a_lock_that_was_left_taken, start),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
