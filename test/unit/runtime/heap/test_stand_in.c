/* test_stand_in.c - the records of what is not in the heap, and of nothing.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/access.h"
#include "heap/stand_in.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static bool has_bit(const void *record) {
  return (uintptr_t)record & HP_NOT_KNOWN_BIT;
}

static void nothing_is_usual_where_nothing_is_known(void **state) {
  (void)state;
  const struct hp_chunk *record = HP_NOT_KNOWN_RECORD;
  assert_true(has_bit(record));
  for (uint64_t p = 0; p < 1 << 16; p++)
    assert_false(hp_access_is_covered(record, p, 1 + p % 64));
}

/* Each thread's answers: before it has a number, and then. */
struct seen {
  struct hp_chunk *before, *then;
};

static void *see(void *argument) {
  struct seen *seen = argument;
  seen->before = hp_outside;
  (void)hp_thread_number();
  seen->then = hp_outside;
  return NULL;
}

static struct seen of_new_thread(void) {
  struct seen seen;
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, see, &seen), 0);
  assert_int_equal(pthread_join(thread, NULL), 0);
  return seen;
}

static void a_thread_without_a_number_is_sent_the_long_way(void **state) {
  (void)state;
  const struct seen seen = of_new_thread();
  assert_ptr_equal(seen.before, HP_NOT_KNOWN_RECORD);
  assert_false(has_bit(seen.then));
}

static void all_bytes_outside_are_usual(void **state) {
  (void)state;
  const struct seen seen = of_new_thread();
  assert_true(hp_access_is_covered(seen.then, 0, 1));
  assert_true(hp_access_is_covered(seen.then, UINT32_MAX, 1));
  assert_true(hp_access_is_covered(seen.then, 1 << 20, 1 << 16));
}

/* The record outlives its thread: a fiber may go on with it elsewhere. */
static void threads_write_to_different_lines(void **state) {
  (void)state;
  const struct seen one = of_new_thread(), other = of_new_thread();
  const uintptr_t distance = (uintptr_t)other.then - (uintptr_t)one.then;
  assert_true(distance >= HP_CACHE_LINE && -distance >= HP_CACHE_LINE);
  assert_int_equal((uintptr_t)one.then % HP_CACHE_LINE, 0);
  one.then->last = 1;
  assert_int_equal(one.then->last, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_is_usual_where_nothing_is_known),
      cmocka_unit_test(a_thread_without_a_number_is_sent_the_long_way),
      cmocka_unit_test(all_bytes_outside_are_usual),
      cmocka_unit_test(threads_write_to_different_lines),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
