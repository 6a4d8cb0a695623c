/* test_point.c - each call stack is stored once, whoever asks.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "point.h"
#include "system_double.h"

#include <pthread.h>

static void the_same_stack_is_the_same_point(void **state) {
  (void)state;
  uint64_t a[] = {1, 2, 3}, b[] = {1, 2, 4};
  struct hp_alloc_point *first =
      hp_point_intern(a, 3, false, HP_ENTRY_MALLOC, NULL);
  assert_non_null(first);
  assert_ptr_equal(first, hp_point_intern(a, 3, false, HP_ENTRY_MALLOC, NULL));
  assert_ptr_not_equal(first,
                       hp_point_intern(b, 3, false, HP_ENTRY_MALLOC, NULL));
  assert_ptr_not_equal(first,
                       hp_point_intern(a, 2, false, HP_ENTRY_MALLOC, NULL));
  assert_ptr_not_equal(first,
                       hp_point_intern(a, 3, true, HP_ENTRY_MALLOC, NULL));
  assert_ptr_not_equal(first,
                       hp_point_intern(a, 3, false, HP_ENTRY_CALLOC, NULL));
  assert_ptr_equal(hp_point_get(first->id), first);
  assert_int_equal(first->depth, 3);
  assert_int_equal(first->pc[2], 3);
}

static void an_empty_and_a_deep_stack(void **state) {
  (void)state;
  uint64_t deep[HP_STACK_MAX];
  for (uint64_t i = 0; i < HP_STACK_MAX; i++)
    deep[i] = i;
  assert_non_null(hp_point_intern(deep, 0, false, HP_ENTRY_NEW, NULL));
  assert_non_null(
      hp_point_intern(deep, HP_STACK_MAX, true, HP_ENTRY_NEW, NULL));
}

enum { THREADS = 4, STACKS = 50000 };

static void *intern_all(void *arg) {
  uint32_t *ids = arg;
  for (uint64_t i = 0; i < STACKS; i++) {
    uint64_t stack[] = {0x1000 + i, i % 7};
    ids[i] = hp_point_intern(stack, 2, false, HP_ENTRY_MALLOC, NULL)->id;
  }
  return NULL;
}

static void threads_agree(void **state) {
  (void)state;
  static uint32_t ids[THREADS][STACKS];
  uint32_t before = hp_point_count();
  pthread_t thread[THREADS];
  for (int i = 0; i < THREADS; i++)
    pthread_create(&thread[i], NULL, intern_all, ids[i]);
  for (int i = 0; i < THREADS; i++)
    pthread_join(thread[i], NULL);
  for (int i = 1; i < THREADS; i++)
    assert_memory_equal(ids[0], ids[i], sizeof ids[0]);
  assert_int_equal(hp_point_count(), before + STACKS);
}

static void without_memory_there_is_no_point(void **state) {
  (void)state;
  double_refuse_commit = true;
  struct hp_alloc_point *point = NULL;
  for (uint64_t i = 0; i < 100000; i++) {
    uint64_t stack[] = {0x9000000 + i};
    point = hp_point_intern(stack, 1, false, HP_ENTRY_MALLOC, NULL);
    if (!point)
      break;
  }
  double_refuse_commit = false;
  assert_null(point);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_same_stack_is_the_same_point),
      cmocka_unit_test(an_empty_and_a_deep_stack),
      cmocka_unit_test(threads_agree),
      cmocka_unit_test(without_memory_there_is_no_point),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
