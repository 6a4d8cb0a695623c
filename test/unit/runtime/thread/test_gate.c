/* test_gate.c - while the gate is closed nobody is inside, whatever the kernel.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "system_double.h"
#include "thread/gate.h"
#include "thread/thread.h"

#include <pthread.h>

enum { THREADS = 3 };

static struct {
  _Alignas(HP_CACHE_LINE) uint64_t begun, ended;
} work[THREADS];
static pthread_t threads[THREADS];
static bool stop;

/* Enters twice over, as a signal's handler does. */
static void *go_in_and_out(void *arg) {
  size_t i = (size_t)arg;
  struct hp_thread *self = hp_thread_get();
  while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
    uint64_t outer = hp_gate_enter(self);
    __atomic_store_n(&work[i].begun, work[i].begun + 1, __ATOMIC_RELAXED);
    uint64_t inner = hp_gate_enter(self);
    hp_gate_leave(self, inner, HP_ANY_EVENT);
    __atomic_store_n(&work[i].ended, work[i].begun, __ATOMIC_RELAXED);
    hp_gate_leave(self, outer, HP_ANY_EVENT);
  }
  hp_thread_end();
  return NULL;
}

static uint64_t count_inside(uint64_t *begun) {
  uint64_t inside = 0;
  for (int i = 0; i < THREADS; i++) {
    begun[i] = __atomic_load_n(&work[i].begun, __ATOMIC_RELAXED);
    inside += begun[i] != __atomic_load_n(&work[i].ended, __ATOMIC_RELAXED);
  }
  return inside;
}

static void close_and_look(int rounds) {
  stop = false;
  for (size_t i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, go_in_and_out, (void *)i);
  for (int round = 0; round < rounds; round++) {
    uint64_t first[THREADS], then[THREADS];
    hp_gate_close(true);
    assert_int_equal(count_inside(first), 0);
    for (int look = 0; look < 100; look++) {
      assert_int_equal(count_inside(then), 0);
      assert_memory_equal(first, then, sizeof first);
    }
    hp_gate_open();
    if (round % 10 == 0) /* every thread gets in again */
      for (int i = 0; i < THREADS; i++)
        while (__atomic_load_n(&work[i].begun, __ATOMIC_RELAXED) == first[i])
          sched_yield();
  }
}

/* Whether or not the test went well. */
static int end_threads(void **state) {
  (void)state;
  stop = true;
  double_no_barrier = false;
  hp_gate_open();
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  return 0;
}

static void nobody_is_inside(void **state) {
  (void)state;
  close_and_look(300);
}

static void nor_on_an_old_kernel(void **state) {
  (void)state;
  double_no_barrier = true;
  close_and_look(20);
}

/* Its own use of the allocator is no reason to wait. */
static void who_closes_may_be_inside(void **state) {
  (void)state;
  struct hp_thread *self = hp_thread_get();
  uint64_t outer = hp_gate_enter(self);
  assert_true(outer == 0);
  double_sleeps = 0;
  hp_gate_close(true);
  assert_int_equal(double_sleeps, 0);
  uint64_t again = hp_gate_enter(self); /* does not wait either */
  assert_true(again != 0);
  hp_gate_leave(self, again, HP_ANY_EVENT);
  hp_gate_open();
  assert_true(self->events.entered != 0);
  hp_gate_leave(self, outer, HP_ANY_EVENT);
  assert_true(self->events.entered == 0);
}

static void *stay_inside(void *arg) {
  (void)arg;
  hp_gate_enter(hp_thread_get());
  return hp_thread_self;
}

/* A thread that never leaves does not keep the dump from being written. */
static void gives_up(void **state) {
  (void)state;
  pthread_t thread;
  void *block;
  pthread_create(&thread, NULL, stay_inside, NULL);
  pthread_join(thread, &block);
  double_sleeps = 0;
  hp_gate_close(true);
  assert_true(double_sleeps > 0);
  hp_gate_open();
  assert_true(((struct hp_thread *)block)->events.entered != 0);
  hp_gate_reset(); /* in a forked child it would not be there */
  assert_true(((struct hp_thread *)block)->events.entered == 0);
}

int main(void) {
  double_start();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_teardown(nobody_is_inside, end_threads),
      cmocka_unit_test_teardown(nor_on_an_old_kernel, end_threads),
      cmocka_unit_test(who_closes_may_be_inside),
      cmocka_unit_test(gives_up),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
