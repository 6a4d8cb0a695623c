/* test_page_sample.c - which small chunks get pages of their own, and how many
   at a time.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/page_sample.h"
#include "system/limit.h"

#include "chunk/request.h"
#include "page_measure.h"
#include "system_double.h"

#include <string.h>

static struct hp_thread self;
static struct hp_chunk *taken[4096];
static size_t count;

static int begin(void **state) {
  (void)state;
  memset(&self, 0, sizeof self);
  hp_access_hooked = false;
  hp_recording = true;
  return 0;
}

static void give(struct hp_chunk *chunk, size_t size) {
  hp_page_sample_give(size | hp_front_code(HP_APART_FRONT)
                                 << HP_RECORD_FRONT_SHIFT);
  hp_secondary_give(chunk, HP_PROFILED, size);
}

static int end(void **state) {
  (void)state;
  while (count)
    give(taken[--count], 100);
  hp_access_hooked = true;
  return 0;
}

/* As hp_take_slot() does. */
static bool ask(size_t size) {
  struct hp_chunk *chunk =
      self.small_max ? NULL : hp_page_sample_take(&self, size, 0);
  if (chunk)
    taken[count++] = chunk;
  return chunk;
}

static void give_all(void) {
  while (count)
    give(taken[--count], 100);
}

static void an_eighth_of_the_first_and_no_more(void **state) {
  (void)state;
  size_t chosen = 0, steps[32] = {0}, since = 0;
  for (int i = 0; i < 5000; i++) {
    const bool is_chosen = ask(100);
    since++;
    if (is_chosen) {
      steps[since < 32 ? since : 31]++;
      chosen++;
      since = 0;
    }
    give_all();
  }
  assert_in_range(chosen, 28, 36);
  size_t kinds = 0;
  for (size_t i = 0; i < 32; i++)
    kinds += steps[i] != 0;
  assert_in_range(kinds, 2, 8); /* in no regular step */
  assert_int_equal(self.small_max, HP_SMALL_MAX);
}

static void timed_calls_choose_the_next_ever_more_seldom(void **state) {
  (void)state;
  size_t chosen[3] = {0};
  for (int i = 0; i < 256; i++)
    ask(100);
  give_all();
  for (size_t i = 0; i < 30000; i++) {
    hp_page_sample_tick(&self);
    chosen[i < 64 ? 0 : i < 16384 ? 1 : 2] += ask(100);
    assert_int_equal(self.small_max, HP_SMALL_MAX);
    give_all();
  }
  assert_int_equal(chosen[0], 64);
  assert_in_range(chosen[1], 300, 420); /* 64 ln 256 */
  assert_in_range(chosen[2], (30000 - 16384) / 256 - 1,
                  (30000 - 16384) / 256 + 1);
}

static void some_are_live_at_a_time(void **state) {
  (void)state;
  for (int i = 0; i < 10000; i++) {
    hp_page_sample_tick(&self);
    ask(100);
  }
  assert_in_range(count, 32, 40); /* and one for each 512 KiB of the heap */
  give(taken[--count], 100);
  const size_t before = count;
  for (int i = 0; i < 10000; i++) {
    hp_page_sample_tick(&self);
    ask(100);
  }
  assert_int_equal(count, before + 1);
}

static void what_is_never_chosen(void **state) {
  (void)state;
  for (int i = 0; i < 64; i++) {
    assert_false(ask(0));
    assert_false(ask(HP_PAGE_CHUNK_MIN));
    assert_null(hp_page_sample_take(&self, 100, 2 * HP_PAGE));
  }
  assert_int_equal(self.page_asked, 0);
  hp_recording = false;
  for (int i = 0; i < 64; i++)
    assert_false(ask(100));
  hp_recording = true;
  hp_data_is_limited = true;
  for (int i = 0; i < 64; i++)
    assert_false(ask(100));
  hp_data_is_limited = false;
  hp_access_hooked = true;
  assert_false(ask(100));
  assert_int_equal(self.small_max, HP_SMALL_MAX); /* asks no more */
  hp_page_sample_tick(&self);
  assert_int_equal(self.small_max, HP_SMALL_MAX);
}

int main(void) {
  double_start();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(an_eighth_of_the_first_and_no_more, begin,
                                      end),
      cmocka_unit_test_setup_teardown(
          timed_calls_choose_the_next_ever_more_seldom, begin, end),
      cmocka_unit_test_setup_teardown(some_are_live_at_a_time, begin, end),
      cmocka_unit_test_setup_teardown(what_is_never_chosen, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
