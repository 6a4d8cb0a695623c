/* test_access.c - what one access leaves in a chunk record.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "access.h"
#include "allocator.h"
#include "clock.h"
#include "hook_abi.h"
#include "options.h"
#include "owner.h"
#include "system_double.h"
#include "thread.h"
#include "thread_state.h"

#include <pthread.h>

static struct hp_chunk record(uint64_t size) {
  return (struct hp_chunk){.lo = UINT32_MAX,
                           .thread = hp_thread_number(),
                           .t0 = hp_clock_now(),
                           .word = HP_RECORD_LIVE | size};
}

static void counts_and_interval(void **state) {
  (void)state;
  struct hp_chunk chunk = record(100);
  hp_access(&chunk, 40, 8, HP_ACCESS_WRITE);
  hp_access(&chunk, 16, 4, HP_ACCESS_READ);
  hp_access(&chunk, 20, 4, HP_ACCESS_BOTH);
  assert_int_equal(chunk.reads, 2);
  assert_int_equal(chunk.writes, 2);
  assert_int_equal(chunk.lo, 16);
  assert_int_equal(chunk.hi, 48);
  assert_int_equal(chunk.word, HP_RECORD_LIVE | 100);
}

static void beyond_the_size(void **state) {
  (void)state;
  struct hp_chunk chunk = record(10);
  hp_access(&chunk, 8, 8, HP_ACCESS_READ); /* ends at 16 */
  assert_int_equal(chunk.lo, 8);
  assert_int_equal(chunk.hi, 10);
  assert_true(chunk.word & HP_RECORD_OVERRUN);
  chunk = record(10);
  hp_access(&chunk, 12, 4, HP_ACCESS_READ); /* wholly beyond */
  assert_int_equal(chunk.lo, UINT32_MAX);
  assert_int_equal(chunk.hi, 0);
  assert_int_equal(chunk.reads, 1);
  assert_true(chunk.word & HP_RECORD_OVERRUN);
}

static void zero_size(void **state) {
  (void)state;
  struct hp_chunk chunk = record(0);
  hp_access(&chunk, 0, 1, HP_ACCESS_WRITE);
  assert_int_equal(chunk.hi, 0);
  assert_int_equal(chunk.writes, 1);
}

static void counters_saturate(void **state) {
  (void)state;
  struct hp_chunk chunk = record(8);
  chunk.reads = UINT64_MAX - 1;
  chunk.writes = UINT64_MAX;
  for (int many = 0; many < 2; many++) {
    hp_threads_many = many;
    hp_access(&chunk, 0, 8, HP_ACCESS_BOTH);
    assert_true(chunk.reads == UINT64_MAX);
    assert_true(chunk.writes == UINT64_MAX);
  }
  hp_threads_many = false;
}

static void a_chunk_that_is_not_live_is_left_alone(void **state) {
  (void)state;
  struct hp_chunk chunk = record(8);
  chunk.word = 0;
  struct hp_chunk before = chunk;
  hp_access(&chunk, 0, 8, HP_ACCESS_BOTH);
  assert_memory_equal(&chunk, &before, sizeof chunk);
}

static void times(void **state) {
  (void)state;
  struct hp_chunk chunk = record(8);
  hp_clock_coarse = chunk.t0;
  hp_access(&chunk, 0, 8, HP_ACCESS_READ);
  uint64_t first = chunk.first;
  assert_true(first > chunk.t0); /* the first access is exact */
  assert_true(chunk.last == first);
  hp_access(&chunk, 0, 8, HP_ACCESS_READ);
  assert_true(chunk.last == first); /* the coarse clock has not moved */
  hp_clock_coarse = first + 1000;
  hp_access(&chunk, 0, 8, HP_ACCESS_READ);
  assert_true(chunk.last == first + 1000);
  assert_true(chunk.first == first);
}

static void exact_times(void **state) {
  (void)state;
  struct hp_chunk chunk = record(8);
  chunk.word |= HP_RECORD_EXACT;
  hp_access(&chunk, 0, 8, HP_ACCESS_READ);
  uint64_t last = chunk.last;
  hp_access(&chunk, 0, 8, HP_ACCESS_READ);
  assert_true(chunk.last > last);
  /* Old enough that the coarse clock will do. */
  chunk.t0 -= 33 * hp_clock_longest_step();
  hp_access(&chunk, 0, 8, HP_ACCESS_READ);
  assert_false(chunk.word & HP_RECORD_EXACT);
}

static void another_thread(void **state) {
  (void)state;
  struct hp_chunk chunk = record(8);
  hp_access(&chunk, 0, 8, HP_ACCESS_READ);
  assert_false(chunk.word & HP_RECORD_MULTITHREAD);
  chunk.thread++;
  hp_access(&chunk, 0, 8, HP_ACCESS_READ);
  assert_true(chunk.word & HP_RECORD_MULTITHREAD);
}

enum { THREADS = 4, ACCESSES = 200000 };
static struct hp_chunk shared;

static void *hammer(void *arg) {
  uint64_t offset = (uint64_t)(uintptr_t)arg;
  for (int i = 0; i < ACCESSES; i++)
    hp_access(&shared, offset, 1, HP_ACCESS_BOTH);
  return NULL;
}

static void counts_are_exact_in_many_threads(void **state) {
  (void)state;
  shared = record(100);
  pthread_t thread[THREADS];
  hp_thread_will_start();
  for (uintptr_t i = 0; i < THREADS; i++)
    pthread_create(&thread[i], NULL, hammer, (void *)(10 + i));
  hammer((void *)50);
  for (int i = 0; i < THREADS; i++)
    pthread_join(thread[i], NULL);
  assert_int_equal(shared.reads, (THREADS + 1) * ACCESSES);
  assert_int_equal(shared.writes, (THREADS + 1) * ACCESSES);
  assert_int_equal(shared.lo, 10);
  assert_int_equal(shared.hi, 51);
  assert_true(shared.word & HP_RECORD_MULTITHREAD);
}

static int start(void **state) {
  (void)state;
  double_start();
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counts_and_interval),
      cmocka_unit_test(beyond_the_size),
      cmocka_unit_test(zero_size),
      cmocka_unit_test(counters_saturate),
      cmocka_unit_test(a_chunk_that_is_not_live_is_left_alone),
      cmocka_unit_test(times),
      cmocka_unit_test(exact_times),
      cmocka_unit_test(another_thread),
      cmocka_unit_test(counts_are_exact_in_many_threads),
  };
  return cmocka_run_group_tests(tests, start, NULL);
}
