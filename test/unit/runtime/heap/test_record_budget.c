/* test_record_budget.c - what of limited memory profiled slots may take.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "heap/record_budget.h"

#define MIB ((uint64_t)1 << 20)
#define SMALL 6u /* slots of 64 bytes */
#define LARGE HP_BUDGET_LARGE_SHIFT

/* 16 MiB are the runtime's own, of the rest a third and an eighth the budgets. */
static void test_shares(void **state) {
  (void)state;
  const uint64_t limit = (16 + 240) * MIB;
  assert_true(hp_record_budget_allows(limit, 0, 0, SMALL));
  assert_true(hp_record_budget_allows(limit, 80 * MIB - 1, 0, SMALL));
  assert_false(hp_record_budget_allows(limit, 80 * MIB, 0, SMALL));
  assert_true(hp_record_budget_allows(limit, 79 * MIB, 30 * MIB - 1, LARGE));
  assert_false(hp_record_budget_allows(limit, 79 * MIB, 30 * MIB, LARGE));
  /* Larger slots are part of all; smaller ones may go on without them. */
  assert_false(hp_record_budget_allows(limit, 80 * MIB, 0, LARGE));
  assert_true(hp_record_budget_allows(limit, 79 * MIB, 30 * MIB, SMALL));
  assert_false(hp_record_budget_allows(limit, 79 * MIB, 30 * MIB, 16));
}

/* There is something for profiles, however small the limit is. */
static void test_little(void **state) {
  (void)state;
  assert_true(hp_record_budget_allows(12 * MIB, 2 * MIB - 1, 0, SMALL));
  assert_false(hp_record_budget_allows(12 * MIB, 2 * MIB, 0, SMALL));
  assert_true(hp_record_budget_allows(32 * MIB, 5 * MIB, 0, SMALL));
  assert_false(hp_record_budget_allows(0, 0, 0, SMALL));
}

static void test_none(void **state) {
  (void)state;
  assert_true(
      hp_record_budget_allows(UINT64_MAX, UINT64_MAX / 4, 1 << 30, LARGE));
}

/* The double of the system has no limits. */
static void test_no_limit_is_known(void **state) {
  (void)state;
  const uint64_t used[HP_CLASS_COUNT] = {1 << 30, 1 << 30};
  for (unsigned c = 0; c < HP_CLASS_COUNT; c++)
    assert_true(hp_record_budget_is_left(used, c));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_shares),
      cmocka_unit_test(test_little),
      cmocka_unit_test(test_none),
      cmocka_unit_test(test_no_limit_is_known),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
