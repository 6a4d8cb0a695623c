/* test_marks.c - names of moments: in order, cut where too long, counted where too many.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/marks.h"
#include "system/clock.h"
#include "system_double.h"

#include <string.h>

static int reset(void **state) {
  (void)state;
  hp_marks_reset();
  return 0;
}

static void marks_ascend_in_time(void **state) {
  (void)state;
  uint64_t before = hp_clock_now();
  hp_marks_add("loaded");
  hp_marks_add("");
  uint32_t count;
  uint64_t lost;
  const struct hp_program_mark *all = hp_marks(&count, &lost);
  assert_int_equal(count, 2);
  assert_int_equal(lost, 0);
  assert_string_equal(all[0].name, "loaded");
  assert_string_equal(all[1].name, "");
  assert_true(all[0].time >= before && all[1].time >= all[0].time);
}

static void a_long_name_is_cut(void **state) {
  (void)state;
  char name[2 * HP_MARK_NAME];
  memset(name, 'n', sizeof name - 1);
  name[sizeof name - 1] = '\0';
  hp_marks_add(name);
  name[HP_MARK_NAME - 1] = '\0';
  hp_marks_add(name); /* as long as can be */
  uint32_t count;
  uint64_t lost;
  const struct hp_program_mark *all = hp_marks(&count, &lost);
  assert_string_equal(all[0].name, name);
  assert_string_equal(all[1].name, name);
}

static void too_many_are_counted(void **state) {
  (void)state;
  for (uint32_t i = 0; i < HP_MARKS + 3; i++)
    hp_marks_add("again");
  uint32_t count;
  uint64_t lost;
  hp_marks(&count, &lost);
  assert_int_equal(count, HP_MARKS);
  assert_int_equal(lost, 3);
}

/* A handler of signals may set one: none comes while the table is locked. */
static void signals_wait(void **state) {
  (void)state;
  hp_marks_add("one");
  assert_int_equal(double_masked, 0);
}

int main(void) {
  double_start();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(marks_ascend_in_time, reset),
      cmocka_unit_test_setup(a_long_name_is_cut, reset),
      cmocka_unit_test_setup(too_many_are_counted, reset),
      cmocka_unit_test_setup(signals_wait, reset),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
