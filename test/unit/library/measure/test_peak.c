/* test_peak.c - the running sum's maximum, by hand.
   At equal time a free comes first; the first time of the maximum counts.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "measure/peak.h"

struct lives {
  const struct hp_life *lives;
  bool past[8];
};

static bool only(void *context, size_t run, struct hp_life *life) {
  struct lives *of = context;
  if (of->past[run])
    return false;
  of->past[run] = true;
  *life = of->lives[run];
  return true;
}

/* Each life is a run of its own, so that they need no order. */
static struct hp_peak peak_of(const struct hp_life *lives, size_t count) {
  struct hp_peak peak;
  struct hp_error error;
  struct lives context = {lives, {false}};
  assert_true(count <= 8);
  assert_int_equal(hp_peak_of(count, count, 100, only, &context, &peak, &error),
                   HP_OK);
  return peak;
}

static void nothing_peaks_at_zero(void **state) {
  (void)state;
  assert_int_equal(peak_of(NULL, 0).bytes, 0);
}

static void overlap_adds_up(void **state) {
  (void)state;
  const struct hp_life spans[] = {{0, 10, 5, 1}, {3, 6, 7, 1}, {8, 20, 4, 1}};
  const struct hp_peak peak = peak_of(spans, 3);
  assert_int_equal(peak.bytes, 12);
  assert_int_equal(peak.time, 3);
}

static void free_comes_before_an_allocation_of_the_same_time(void **state) {
  (void)state;
  const struct hp_life spans[] = {{0, 10, 100, 1}, {10, 20, 100, 1}};
  const struct hp_peak peak = peak_of(spans, 2);
  assert_int_equal(peak.bytes, 100);
  assert_int_equal(peak.time, 0);
}

static void first_time_of_the_maximum_counts(void **state) {
  (void)state;
  const struct hp_life spans[] = {
      {50, 60, 8, 1}, {0, 10, 8, 1}, {20, 30, 8, 1}};
  assert_int_equal(peak_of(spans, 3).time, 0);
}

static void order_of_the_spans_does_not_matter(void **state) {
  (void)state;
  const struct hp_life spans[] = {{8, 20, 4, 1}, {3, 6, 7, 1}, {0, 10, 5, 1}};
  assert_int_equal(peak_of(spans, 3).bytes, 12);
}

static void peak_may_be_reached_by_the_last_operation(void **state) {
  (void)state;
  const struct hp_life spans[] = {{0, 100, 1, 1}, {99, 100, 9, 1}};
  const struct hp_peak peak = peak_of(spans, 2);
  assert_int_equal(peak.bytes, 10);
  assert_int_equal(peak.time, 99);
}

static void sum_beyond_64_bits_saturates_and_comes_back(void **state) {
  (void)state;
  const struct hp_life spans[] = {
      {0, 10, UINT64_MAX, 1}, {5, 10, UINT64_MAX, 1}, {20, 30, 7, 1}};
  assert_true(peak_of(spans, 3).bytes == UINT64_MAX);
  const struct hp_life after[] = {{0, 10, 3, 1}, {20, 30, 7, 1}};
  assert_int_equal(peak_of(after, 2).bytes, 7);
}

/* Run R begins every 5 + R; some lives outlast many slices of the walk, some
   never end. */
enum { MANY_RUNS = 3, MANY_LIVES = 100000, MANY_TIMES = MANY_LIVES * 8 };

static struct hp_life one_of_many(size_t run, size_t i) {
  uint64_t begin = i * (5 + run);
  uint64_t last = i % 1000 == 7 ? MANY_TIMES : 1 + i * 7919 % 977;
  return (struct hp_life){begin, i % 9999 == 1 ? HP_NEVER : begin + last,
                          1 + i % 13 * (run + 1), 1};
}

static bool next_of_many(void *context, size_t run, struct hp_life *life) {
  size_t *next = context;
  if (next[run] == MANY_LIVES)
    return false;
  *life = one_of_many(run, next[run]++);
  return true;
}

static void many_lives_are_walked_in_order(void **state) {
  (void)state;
  static int64_t change[MANY_TIMES];
  size_t next[MANY_RUNS] = {0};
  for (size_t run = 0; run < MANY_RUNS; run++)
    for (size_t i = 0; i < MANY_LIVES; i++) {
      const struct hp_life life = one_of_many(run, i);
      change[life.begin] += (int64_t)life.bytes;
      if (life.end < MANY_TIMES)
        change[life.end] -= (int64_t)life.bytes;
    }
  int64_t live = 0, most = 0;
  uint64_t when = 0;
  for (uint64_t t = 0; t < MANY_TIMES; t++) {
    live += change[t];
    when = live > most ? t : when;
    most = live > most ? live : most;
  }
  /* As if they were more, for slices enough; one begins behind LAST. */
  size_t lives = MANY_RUNS * MANY_LIVES * 20;
  uint64_t last = one_of_many(MANY_RUNS - 1, MANY_LIVES - 2).begin;
  struct hp_peak peak;
  struct hp_error error;
  assert_int_equal(
      hp_peak_of(MANY_RUNS, lives, last, next_of_many, next, &peak, &error),
      HP_OK);
  assert_int_equal(peak.bytes, most);
  assert_int_equal(peak.time, when);

  memset(next, 0, sizeof next);
  hp_life_walk *walk =
      hp_life_walk_new(MANY_RUNS, lives, last, next_of_many, next);
  struct hp_life_event event, before = {0};
  size_t begun = 0, ended = 0;
  assert_non_null(walk);
  for (; hp_life_walk_next(walk, &event); before = event) {
    assert_true(event.time > before.time ||
                (event.time == before.time &&
                 (event.begins || !before.begins || begun + ended == 0)));
    begun += event.begins;
    ended += !event.begins;
  }
  assert_false(hp_life_walk_failed(walk));
  hp_life_walk_free(walk);
  assert_int_equal(begun, MANY_RUNS * MANY_LIVES);
  assert_int_equal(ended, begun - MANY_RUNS * 11);
}

static void chunk_lives_at_least_a_tick(void **state) {
  (void)state;
  const struct hp_chunk_log same = {.t0 = 5, .t1 = 5, .size = 4};
  struct hp_life span = hp_chunk_life(&same, 100);
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
  const struct hp_life span = hp_chunk_life(&live, 100);
  assert_true(hp_life_covers(&span, 100));
  assert_false(hp_life_covers(&span, 101));
  assert_false(hp_life_covers(&span, 4));
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
      cmocka_unit_test(many_lives_are_walked_in_order),
      cmocka_unit_test(chunk_lives_at_least_a_tick),
      cmocka_unit_test(live_chunk_outlasts_the_window),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
