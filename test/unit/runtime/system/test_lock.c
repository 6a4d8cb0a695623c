/* test_lock.c - a lock that an allocation may need holds signals back
   as soon as the program may have a handler, and no sooner.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "origin/point.h"
#include "process/allocation_locks.h"
#include "system/platform.h"
#include "system_double.h"

#include <pthread.h>

static struct hp_lock lock;
static bool expected;

static void *take(void *arg) {
  (void)arg;
  uint64_t mask = hp_lock_take_held(&lock);
  bool held = __atomic_load_n(&double_masked, __ATOMIC_SEQ_CST) == 1;
  hp_lock_release_held(&lock, mask);
  return (void *)held;
}

static void *expect_handlers(void *arg) {
  hp_expect_handlers();
  __atomic_store_n(&expected, true, __ATOMIC_SEQ_CST);
  return arg;
}

static void wait_for_waiters(size_t count) {
  while (__atomic_load_n(&double_waits, __ATOMIC_SEQ_CST) < count &&
         !__atomic_load_n(&expected, __ATOMIC_SEQ_CST))
    ;
}

static void without_handlers_nothing_is_masked(void **state) {
  (void)state;
  assert_null(take(NULL));
  assert_int_equal(double_masked, 0);
}

static struct hp_lock another;

static void who_has_locks_ends_when_all_are_released(void **state) {
  (void)state;
  uint64_t mask = 0;
  assert_false(hp_lock_hold_back(&mask));
  assert_int_equal(mask, 0);
  uint64_t first = hp_lock_take_held(&lock),
           second = hp_lock_take_held(&another);
  double_masked = 1; /* as the handler leaves it when it returns */
  assert_true(hp_lock_hold_back(&mask));
  assert_int_equal(mask, ~(uint64_t)0);
  hp_lock_release_held(&another, second);
  assert_int_equal(double_masked, 1);
  hp_lock_release_held(&lock, first);
  assert_int_equal(double_masked, 0);
  assert_false(hp_lock_hold_back(&mask));
}

/* One thread waits for the lock since before; another one expects handlers, and
   waits for those who have a lock of the allocator. */
static void the_first_handler_waits_for_locks(void **state) {
  (void)state;
  pthread_t taker, expecter;
  void *held;
  double_waits = 0;
  hp_lock_take(&lock);
  pthread_create(&taker, NULL, take, NULL);
  wait_for_waiters(1);
  hp_point_lock();
  pthread_create(&expecter, NULL, expect_handlers, NULL);
  wait_for_waiters(2);
  assert_false(__atomic_load_n(&expected, __ATOMIC_SEQ_CST));
  hp_point_unlock();
  pthread_join(expecter, NULL);
  hp_lock_release(&lock);
  pthread_join(taker, &held);
  assert_non_null(held);
  assert_int_equal(double_masked, 0);
}

static void from_then_on_all_are_masked(void **state) {
  (void)state;
  assert_non_null(take(NULL));
  assert_int_equal(double_masked, 0);
  hp_point_lock(); /* nobody waits for these again */
  hp_expect_handlers();
  hp_point_unlock();
}

int main(void) {
  double_start();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(without_handlers_nothing_is_masked),
      cmocka_unit_test(who_has_locks_ends_when_all_are_released),
      cmocka_unit_test(the_first_handler_waits_for_locks),
      cmocka_unit_test(from_then_on_all_are_masked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
