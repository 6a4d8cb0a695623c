/* test_resizes.c - what realloc did to sizes, by point.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/resizes.h"

#include "system_double.h"

static int start(void **state) {
  (void)state;
  hp_resizes_start();
  return 0;
}

static void sums_and_the_largest_jump(void **state) {
  (void)state;
  const uint64_t moved = 30;
  hp_resize_note(7, 10, 20, NULL);
  hp_resize_note(7, 30, 100, &moved);
  hp_resize_note(7, 100, 160, NULL); /* larger, but by less */
  hp_resize_note(7, 160, 40, &(const uint64_t){40});
  hp_resize_note(7, 40, 40, NULL);
  const struct hp_resize_sum sum = hp_resizes_of(7);
  assert_int_equal(sum.calls, 5);
  assert_int_equal(sum.in_place, 3);
  assert_int_equal(sum.moved_bytes, 70);
  assert_int_equal(sum.grown, 3);
  assert_int_equal(sum.grown_bytes, 140);
  assert_int_equal(sum.shrunk, 1);
  assert_int_equal(sum.shrunk_bytes, 120);
  assert_int_equal(sum.jump_from, 30);
  assert_int_equal(sum.jump_to, 100);
}

static void points_are_apart_and_a_window_begins_anew(void **state) {
  (void)state;
  hp_resize_note(0, 1, 2, NULL); /* of no point */
  hp_resize_note(1, 5, 4, NULL);
  assert_int_equal(hp_resizes_of(0).calls, 0);
  assert_int_equal(hp_resizes_of(1).calls, 1);
  assert_int_equal(hp_resizes_of(1).jump_to, 0); /* none grew */
  assert_int_equal(hp_resizes_of(2).calls, 0);
  hp_resizes_start();
  assert_int_equal(hp_resizes_of(1).calls, 0);
}

static void points_beyond_the_table_are_not_known(void **state) {
  (void)state;
  size_t known = 0;
  for (uint32_t i = 1; i <= 5000; i++)
    hp_resize_note(i, i, i + 1, NULL);
  for (uint32_t i = 1; i <= 5000; i++) {
    const struct hp_resize_sum sum = hp_resizes_of(i);
    known += sum.calls;
    assert_true(sum.calls == 0 || sum.jump_from == i);
  }
  assert_int_equal(known, 2048);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(sums_and_the_largest_jump, start),
      cmocka_unit_test_setup(points_are_apart_and_a_window_begins_anew, start),
      cmocka_unit_test_setup(points_beyond_the_table_are_not_known, start),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
