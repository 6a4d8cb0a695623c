/* test_fork_hold.c - what is held around fork is given up when the thread that
   forks waits for one that waits for it, and only then.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "process/fork_hold.h"
#include "system/waiting.h"
#include "system_double.h"

#include <pthread.h>

void _IO_list_lock(void);
void _IO_list_unlock(void);

static struct hp_lock ours;
static pthread_mutex_t libcs = PTHREAD_MUTEX_INITIALIZER;
static bool is_held;

static void take(void) {
  hp_lock_take(&ours);
  __atomic_store_n(&is_held, true, __ATOMIC_SEQ_CST);
}
static void release(void) { hp_lock_release(&ours); }

static void *forks(void *arg) {
  (void)arg;
  hp_fork_hold(take, release);
  pthread_mutex_lock(&libcs); /* as libc's fork does after our handler */
  bool held = hp_fork_hold_end();
  pthread_mutex_unlock(&libcs);
  if (held)
    release();
  return (void *)held;
}

static void *locks_streams(void *arg) {
  _IO_list_lock();
  _IO_list_unlock();
  return arg;
}

static void *takes_ours(void *arg) {
  hp_lock_take(&ours);
  hp_lock_release(&ours);
  return arg;
}

static void nothing_is_given_up_without_need(void **state) {
  (void)state;
  pthread_t thread;
  for (int i = 0; i < 3; i++) {
    hp_fork_hold(take, release);
    pthread_create(&thread, NULL, takes_ours, NULL);
    /* This thread runs for longer than others wait without a look. */
    for (uint64_t end = hp_sys_monotonic_ns() + 200000000u;
         hp_sys_monotonic_ns() < end;)
      hp_fork_hold_look();
    assert_false(hp_lock_try(&ours));
    assert_true(hp_fork_hold_end());
    release();
    pthread_join(thread, NULL);
  }
  pthread_create(&thread, NULL, locks_streams, NULL);
  pthread_join(thread, NULL); /* it is free again */
}

/* This thread has libc's lock and wants ours. */
static void a_circle_is_broken(void **state) {
  (void)state;
  for (int i = 0; i < 3; i++) {
    pthread_t thread, other;
    void *held;
    is_held = false;
    pthread_mutex_lock(&libcs);
    pthread_create(&thread, NULL, forks, NULL);
    while (!__atomic_load_n(&is_held, __ATOMIC_SEQ_CST))
      ;
    pthread_create(&other, NULL, locks_streams, NULL);
    hp_lock_take(&ours);
    pthread_join(other, NULL);
    /* Another one forks meanwhile: what it holds is not the first one's. */
    hp_lock_release(&ours);
    if (i == 1)
      hp_fork_hold(take, release);
    pthread_mutex_unlock(&libcs);
    pthread_join(thread, &held);
    assert_null(held);
    if (i == 1) {
      assert_false(hp_lock_try(&ours));
      assert_true(hp_fork_hold_end());
      release();
    }
    assert_true(hp_lock_try(&ours));
    hp_lock_release(&ours);
  }
}

static void a_child_is_told(void **state) {
  (void)state;
  hp_fork_hold(take, release);
  assert_true(hp_fork_hold_end_in_child());
  release();
  assert_false(hp_fork_hold_end_in_child()); /* as if it was given up */
}

int main(void) {
  hp_lock_when_long(hp_fork_hold_look);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_is_given_up_without_need),
      cmocka_unit_test(a_circle_is_broken),
      cmocka_unit_test(a_child_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
