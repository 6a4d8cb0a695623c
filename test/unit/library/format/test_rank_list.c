/* test_rank_list.c - which lists are ones, and which ranks are in them.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "rank_list.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void lists(void **state) {
  (void)state;
  static const char *const good[] = {"0", "17", "0,3-5", "3-3,1",
                                     "999999999999999999"};
  static const char *const bad[] = {
      "",  ",",   "1,",  ",1",   "-1",    "1-",  "5-3",
      "a", "1 2", "1;2", "1--2", "1-2-3", "all", "1000000000000000000"};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++)
    assert_true(hp_rank_list_is_good(good[i]));
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    assert_false(hp_rank_list_is_good(bad[i]));
}

static void ranks(void **state) {
  (void)state;
  static const char *const in[] = {"0", "3", "4", "5", "10", "007"};
  static const char *const out[] = {"1", "2",  "6",  "9",   "11",
                                    "",  "-3", "3x", "none"};
  for (size_t i = 0; i < sizeof in / sizeof *in; i++)
    assert_true(hp_rank_is_in("0,3-5,10,7", in[i]));
  for (size_t i = 0; i < sizeof out / sizeof *out; i++)
    assert_false(hp_rank_is_in("0,3-5,10,7", out[i]));
  assert_false(hp_rank_is_in("0-9", NULL));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(lists),
                                     cmocka_unit_test(ranks)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
