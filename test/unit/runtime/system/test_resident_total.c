/* test_resident_total.c - what is resident in all grows by what is touched, and what sums it bears out.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "system/resident_total.h"

#include "system_double.h"

#include <string.h>
#include <sys/mman.h>

#define MIB ((uint64_t)1 << 20)

static void grows_by_what_is_touched(void **state) {
  (void)state;
  const uint64_t more = 64 * MIB;
  const uint64_t quick = hp_resident_total(HP_RESIDENT_QUICK);
  const uint64_t exact = hp_resident_total(HP_RESIDENT_EXACT);
  assert_true(quick && exact);
  char *p = mmap(NULL, more, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_true(p != MAP_FAILED);
  memset(p, 1, more);
  assert_in_range(hp_resident_total(HP_RESIDENT_EXACT), exact + more,
                  exact + more + MIB);
  assert_in_range(hp_resident_total(HP_RESIDENT_QUICK), quick + more - 8 * MIB,
                  quick + more + 8 * MIB);
  munmap(p, more);
}

static void much_more_is_a_sixteenth(void **state) {
  (void)state;
  assert_int_equal(hp_resident_much_more(0), MIB / 4);
  assert_int_equal(hp_resident_much_more(160 * MIB), 170 * MIB + MIB / 4);
}

static void what_may_be(void **state) {
  (void)state;
  assert_true(hp_resident_may_be(10 * MIB, 10 * MIB, 10 * MIB));
  assert_true(hp_resident_may_be(15 * MIB, 10 * MIB, 20 * MIB)); /* it grew */
  assert_true(hp_resident_may_be(15 * MIB, 20 * MIB, 10 * MIB));
  assert_true(hp_resident_may_be(21 * MIB, 10 * MIB, 20 * MIB));
  assert_true(hp_resident_may_be(9 * MIB + MIB / 4, 10 * MIB, 20 * MIB));
}

/* The low half was freed once it was counted, the high one allocated before. */
static void what_was_counted_twice_or_not_at_all(void **state) {
  (void)state;
  assert_false(hp_resident_may_be(25 * MIB, 15 * MIB, 15 * MIB));
  assert_false(hp_resident_may_be(8 * MIB, 15 * MIB, 15 * MIB));
  assert_false(hp_resident_may_be(22 * MIB, 10 * MIB, 20 * MIB));
}

static void nothing_contradicts_what_cannot_be_read(void **state) {
  (void)state;
  assert_true(hp_resident_may_be(25 * MIB, 0, 15 * MIB));
  assert_true(hp_resident_may_be(8 * MIB, 15 * MIB, 0));
}

static void is_asked_when_it_grows_or_a_step_is_over(void **state) {
  (void)state;
  struct hp_resident_seen seen = {0};
  assert_true(hp_resident_may_differ(&seen, 5, 10 * MIB, 1000));
  hp_resident_see(&seen, 5, 10 * MIB, 10 * MIB);
  assert_false(hp_resident_may_differ(&seen, 6, 10 * MIB, 1000));
  assert_false(hp_resident_may_differ(&seen, 1004, 10 * MIB, 1000));
  assert_true(hp_resident_may_differ(&seen, 1005, 10 * MIB, 1000));
  assert_true(hp_resident_may_differ(&seen, 6, 10 * MIB + 4096, 1000));
  hp_resident_see(&seen, 2000, 10 * MIB, 4 * MIB); /* it shrank */
  assert_int_equal(seen.resident, 4 * MIB);
  assert_int_equal(seen.most, 10 * MIB);
  assert_false(hp_resident_may_differ(&seen, 2001, 10 * MIB, 1000));
}

/* The shell before it had more: growth up to that shows nowhere. */
static void is_always_asked_where_the_most_is_anothers(void **state) {
  (void)state;
  struct hp_resident_seen seen = {0};
  hp_resident_see(&seen, 5, 100 * MIB, 10 * MIB);
  assert_true(hp_resident_may_differ(&seen, 6, 100 * MIB, 1000));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(grows_by_what_is_touched),
      cmocka_unit_test(much_more_is_a_sixteenth),
      cmocka_unit_test(what_may_be),
      cmocka_unit_test(what_was_counted_twice_or_not_at_all),
      cmocka_unit_test(nothing_contradicts_what_cannot_be_read),
      cmocka_unit_test(is_asked_when_it_grows_or_a_step_is_over),
      cmocka_unit_test(is_always_asked_where_the_most_is_anothers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
