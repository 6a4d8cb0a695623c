/* test_growing_array.c - arrays that grow, on the heap and in a store.
   What is there stays, room is enough, and a size that cannot be is refused.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/growing_array.h"
#include "base/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void grows_one_by_one(void **state) {
  (void)state;
  uint32_t *items = NULL;
  size_t capacity = 0, moves = 0;
  for (uint32_t i = 0; i < 1000; i++) {
    size_t before = capacity;
    assert_true(hp_room_for_one((void **)&items, i, &capacity, sizeof *items));
    moves += capacity != before;
    items[i] = i;
  }
  for (uint32_t i = 0; i < 1000; i++)
    assert_int_equal(items[i], i);
  assert_int_equal(capacity, 1024);
  assert_int_equal(moves, 7);
  free(items);
}

static void grows_by_many(void **state) {
  (void)state;
  unsigned char *bytes = NULL;
  size_t capacity = 0;
  assert_true(hp_room_for((void **)&bytes, 0, 0, &capacity, 1));
  assert_null(bytes);
  assert_true(hp_room_for((void **)&bytes, 0, 100, &capacity, 1));
  assert_in_range(capacity, 100, 255);
  bytes[0] = 42;
  assert_true(hp_room_for((void **)&bytes, 100, 5000, &capacity, 1));
  assert_in_range(capacity, 5100, 10239);
  assert_int_equal(bytes[0], 42);
  free(bytes);
}

static void refuses_what_cannot_be(void **state) {
  (void)state;
  uint64_t *items = NULL;
  size_t capacity = 0;
  assert_true(hp_room_for_one((void **)&items, 0, &capacity, sizeof *items));
  const uint64_t *before = items;
  assert_false(
      hp_room_for((void **)&items, 1, SIZE_MAX, &capacity, sizeof *items));
  assert_false(
      hp_room_for((void **)&items, 1, SIZE_MAX / 4, &capacity, sizeof *items));
  assert_ptr_equal(items, before);
  assert_int_equal(capacity, 16);
  free(items);
}

static void grows_in_a_store(void **state) {
  (void)state;
  struct hp_store store = {0};
  uint16_t *items = NULL;
  for (size_t i = 0; i < 300; i++) {
    assert_true(
        hp_store_room_for_one(&store, (void **)&items, i, sizeof *items));
    items[i] = (uint16_t)(i * 3);
  }
  for (size_t i = 0; i < 300; i++)
    assert_int_equal(items[i], i * 3);
  hp_store_free(&store);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(grows_one_by_one),
                                     cmocka_unit_test(grows_by_many),
                                     cmocka_unit_test(refuses_what_cannot_be),
                                     cmocka_unit_test(grows_in_a_store)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
