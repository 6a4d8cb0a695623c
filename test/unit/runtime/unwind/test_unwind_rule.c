/* test_unwind_rule.c - rules of more addresses than there are entries for: the
   last ones are remembered, and all are what the tables say.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "system_double.h"
#include "unwind/unwind_rule.h"

#include <stdlib.h>

enum { APART = 7, ADDRESSES = 2 * HP_RULE_COUNT, LAST = 10000 };

/* Of libc's code, as if calls returned there. */
static uintptr_t address(size_t i) { return (uintptr_t)qsort + i * APART; }

static size_t remembered(void) {
  size_t count = 0;
  for (size_t i = 0; i < HP_RULE_COUNT; i++)
    count += hp_rules[i].pc - address(ADDRESSES - LAST) < LAST * APART;
  return count;
}

static void the_last_ones_are_remembered(void **state) {
  (void)state;
  for (size_t i = 0; i < ADDRESSES; i++)
    hp_rule_search(address(i));
  assert_in_range(remembered(), LAST / 10 * 9, LAST);
  hp_rules_forget();
  assert_int_equal(remembered(), 0);
}

static void a_rule_is_the_same_when_it_was_forgotten(void **state) {
  (void)state;
  static uint64_t shapes[ADDRESSES];
  for (size_t i = 0; i < ADDRESSES; i++)
    shapes[i] = hp_rule_search(address(i));
  for (size_t i = 0; i < ADDRESSES; i++)
    assert_true(hp_rule_find(address(i)) == shapes[i]);
}

int main(void) {
  double_start();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_last_ones_are_remembered),
      cmocka_unit_test(a_rule_is_the_same_when_it_was_forgotten),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
