/* test_only_point.c - which filters ask for one allocation point alone.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "heapprof.h"

static void one_point(void **state) {
  (void)state;
  assert_int_equal(hp_filter_only_point("point=608"), 608);
  assert_int_equal(hp_filter_only_point(" point=#608\n"), 608);
  assert_int_equal(hp_filter_only_point("(point=\"608\")"), 608);
}

static void anything_else(void **state) {
  (void)state;
  static const char *const filters[] = {"",
                                        "608",
                                        "point=",
                                        "point=-1",
                                        "point= 5",
                                        "point!=5",
                                        "point=5 & size>8",
                                        "point=5 | point=6",
                                        "!point=5",
                                        "point=5,6",
                                        "point=5 type=x",
                                        "point=5x",
                                        "point=##5",
                                        "points=5",
                                        "type=x",
                                        "point=99999999999999999999"};
  assert_int_equal(hp_filter_only_point(NULL), 0);
  for (size_t i = 0; i < sizeof filters / sizeof *filters; i++)
    assert_int_equal(hp_filter_only_point(filters[i]), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_point),
      cmocka_unit_test(anything_else),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
