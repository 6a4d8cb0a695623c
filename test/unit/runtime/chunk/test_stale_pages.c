/* test_stale_pages.c - when a page counts as long not written: never too soon, whatever looks
   were made in between.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/stale_pages.h"

#include "heap/secondary.h"
#include "options/options.h"
#include "system/clock.h"
#include "system_double.h"

#include <string.h>
#include <time.h>

#define SIZE ((size_t)4 * HP_PAGE)

static uintptr_t start; /* of four pages */

static void written(unsigned pages) {
  static uintptr_t list[4];
  static struct double_written said;
  said = (struct double_written){.pages = list};
  for (unsigned i = 0; i < 4; i++)
    if (pages >> i & 1)
      list[said.count++] = start + i * HP_PAGE;
  double_written = &said;
  hp_stale_pages_look();
}

static void wait_ms(long ms) {
  const struct timespec time = {.tv_nsec = ms * 1000000};
  nanosleep(&time, NULL);
}

static struct hp_stale_sum sum_of(uint64_t weight) {
  struct hp_stale_sum sum = {0};
  hp_stale_pages_add(&sum, start, start + SIZE, weight);
  return sum;
}

static void nothing_without_the_option(void **state) {
  (void)state;
  hp_stale_pages_start();
  assert_false(hp_stale_pages_due());
  assert_int_equal(hp_stale_pages_ms(), 0);
  assert_false(hp_stale_pages_are_missing());
  assert_int_equal(sum_of(1).chunks, 0);
}

static void missing_where_the_kernel_does_not_tell(void **state) {
  (void)state;
  hp_options.stale_pages = 20;
  double_written = NULL;
  hp_stale_pages_start();
  assert_true(hp_stale_pages_are_missing());
  assert_int_equal(hp_stale_pages_ms(), 0);
  assert_int_equal(sum_of(1).chunks, 0);
}

static void stale_after_its_time(void **state) {
  (void)state;
  static const struct double_written none;
  double_written = &none;
  hp_options.stale_pages = 20;
  hp_stale_pages_start();
  assert_int_equal(hp_stale_pages_ms(), 20);
  assert_false(hp_stale_pages_are_missing());
  assert_true(hp_stale_pages_due());
  written(15);
  assert_int_equal(sum_of(1).resident, SIZE);
  assert_int_equal(sum_of(1).stale, 0);
  wait_ms(25);
  assert_true(hp_stale_pages_due());
  assert_int_equal(sum_of(1).stale, 0); /* nobody has looked */
  written(1);
  assert_int_equal(sum_of(1).stale, SIZE - HP_PAGE);
  const struct hp_stale_sum sum = sum_of(3);
  assert_int_equal(sum.chunks, 3);
  assert_int_equal(sum.resident, 3 * SIZE);
  assert_int_equal(sum.stale, 3 * (SIZE - HP_PAGE));
  /* More looks than there are times of, at once. */
  for (int i = 0; i < 600; i++)
    written(2);
  const uint64_t now = sum_of(1).stale;
  assert_true(now == SIZE - 2 * HP_PAGE || now == SIZE - HP_PAGE);
  wait_ms(25);
  written(2);
  assert_int_equal(sum_of(1).stale, SIZE - HP_PAGE);
}

static void parts_of_pages(void **state) {
  (void)state;
  written(2);
  wait_ms(25);
  written(1);
  wait_ms(1);
  struct hp_stale_sum sum = {0};
  hp_stale_pages_add(&sum, start + 100, start + HP_PAGE + 10, 1);
  assert_int_equal(sum.resident, HP_PAGE - 90);
  assert_int_equal(sum.stale, 10);
}

static void unknown_once_the_kernel_refuses(void **state) {
  (void)state;
  double_written = NULL;
  hp_stale_pages_look();
  assert_true(hp_stale_pages_are_missing());
  assert_int_equal(sum_of(1).chunks, 0);
  hp_stale_pages_forget();
}

int main(void) {
  double_start();
  struct hp_chunk *chunk =
      hp_secondary_take(SIZE + HP_PAGE, HP_PAGE, HP_PROFILED);
  start = (uintptr_t)chunk + HP_PAGE;
  memset((void *)start, 1, SIZE);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_without_the_option),
      cmocka_unit_test(missing_where_the_kernel_does_not_tell),
      cmocka_unit_test(stale_after_its_time),
      cmocka_unit_test(parts_of_pages),
      cmocka_unit_test(unknown_once_the_kernel_refuses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
