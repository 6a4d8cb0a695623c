/* test_replay_plan.c - lives become events in the order of time, with slots that no two live chunks share.
   Played here without an allocator, the events give the lives back.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "replay_plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct hp_replay_plan plan;

static void make(const struct hp_replay_life *lives, size_t count) {
  assert_true(hp_replay_make(&plan, lives, count));
}

static int free_plan(void **state) {
  (void)state;
  free(plan.events);
  plan.events = NULL;
  return 0;
}

static void test_none(void **state) {
  (void)state;
  make(NULL, 0);
  assert_int_equal(plan.count, 0);
  assert_int_equal(plan.slots, 0);
}

/* At one time the end of one goes before the beginning of another. */
static void test_ties(void **state) {
  const struct hp_replay_life lives[] = {
      {.begin = 5, .end = 9, .size = 100, .lo = 1, .hi = 2, .ends = true},
      {.begin = 1, .end = 5, .size = 30, .ends = true},
      {.begin = 5, .end = 5, .size = 7, .ends = true}, /* at once */
      {.begin = 9, .end = 9, .size = 4}};              /* lives on */
  (void)state;
  make(lives, 4);
  assert_int_equal(plan.count, 7);
  assert_int_equal(plan.events[0].size, 30);
  assert_true(plan.events[1].is_free);
  assert_int_equal(plan.events[2].size, 100);
  assert_int_equal(plan.events[2].lo, 1);
  assert_int_equal(plan.events[2].hi, 2);
  assert_int_equal(plan.events[3].size, 7);
  assert_true(plan.events[4].is_free);
  assert_int_equal(plan.events[4].slot, plan.events[3].slot);
  assert_true(plan.events[5].is_free);
  assert_int_equal(plan.events[5].slot, plan.events[2].slot);
  assert_int_equal(plan.events[6].size, 4);
  assert_int_equal(plan.peak_bytes, 107);
  assert_int_equal(plan.slots, 2);
}

/* Numbered by their first events; each one's last event says so. */
static void test_threads(void **state) {
  const struct hp_replay_life lives[] = {
      {.begin = 1,
       .end = 6,
       .size = 1,
       .thread = 70,
       .free_thread = 9,
       .ends = true},
      {.begin = 2,
       .end = 4,
       .size = 2,
       .thread = 9,
       .free_thread = 9,
       .ends = true},
      {.begin = 3, .size = 3, .thread = 4000000000u, .free_thread = 8},
      {.begin = 5, .size = 4, .thread = 70}};
  const uint32_t threads[] = {0, 1, 2, 1, 0, 1};
  const uint32_t last[] = {0, 0, 1, 0, 1, 1};
  (void)state;
  make(lives, 4);
  assert_int_equal(plan.threads, 3);
  assert_int_equal(plan.count, 6);
  for (size_t i = 0; i < 6; i++) {
    assert_int_equal(plan.events[i].thread, threads[i]);
    assert_int_equal(plan.events[i].is_last, last[i]);
  }
}

#define MANY 5000u

static void test_many(void **state) {
  static struct hp_replay_life lives[MANY];
  static uint64_t held[MANY];
  uint32_t random = 1;
  uint64_t live = 0, peak = 0;
  size_t begun = 0;
  (void)state;
  for (size_t i = 0; i < MANY; i++) {
    random = random * 1664525u + 1013904223u;
    lives[i].begin = (random >> 8) % 1000;
    lives[i].end = lives[i].begin + (random >> 16) % 50;
    lives[i].size = i + 1;
    lives[i].ends = i % 7 != 0;
  }
  make(lives, MANY);
  for (size_t i = 0; i < plan.count; i++) {
    const struct hp_replay_event *e = &plan.events[i];
    assert_true(e->slot < plan.slots);
    assert_true((held[e->slot] != 0) == (e->is_free != 0));
    live += e->is_free ? 0 - held[e->slot] : e->size;
    held[e->slot] = e->is_free ? 0 : e->size;
    begun += !e->is_free;
    if (live > peak)
      peak = live;
  }
  assert_int_equal(begun, MANY);
  assert_int_equal(peak, plan.peak_bytes);
  for (size_t i = 0; i < MANY; i++)
    if (!lives[i].ends)
      live -= lives[i].size;
  assert_int_equal(live, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_teardown(test_none, free_plan),
      cmocka_unit_test_teardown(test_ties, free_plan),
      cmocka_unit_test_teardown(test_threads, free_plan),
      cmocka_unit_test_teardown(test_many, free_plan)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
