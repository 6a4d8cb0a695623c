/* test_live_table.c - chunks put in, taken out and walked over, beside a plain array that says what must be there.
   Addresses are as allocators give them: multiples of 16, close together.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "allocator_meter/live_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SLOTS 20000u

static struct hp_meter_live_table table;
static uint64_t expected[SLOTS]; /* 0: not there */

static uintptr_t address_of(size_t slot) { return 0x5555000 + 16 * slot; }

static bool put(size_t slot, uint64_t bytes) {
  struct hp_meter_live_chunk chunk = {address_of(slot), bytes, 2 * bytes};
  return hp_meter_put(&table, &chunk);
}

/* What was taken out has all that was put in. */
static bool take(size_t slot, uint64_t *bytes) {
  struct hp_meter_live_chunk chunk = {0};
  if (!hp_meter_take(&table, address_of(slot), &chunk))
    return false;
  assert_true(chunk.address == address_of(slot));
  assert_true(chunk.usable == 2 * chunk.bytes);
  *bytes = chunk.bytes;
  return true;
}

static void add(void *context, const struct hp_meter_live_chunk *chunk) {
  size_t slot = (chunk->address - address_of(0)) / 16;
  assert_true(slot < SLOTS);
  assert_int_equal(chunk->bytes, expected[slot]);
  *(size_t *)context += 1;
}

static void check_all(size_t count) {
  size_t walked = 0;
  hp_meter_walk(&table, add, &walked);
  assert_int_equal(walked, count);
}

static void test_empty(void **state) {
  uint64_t bytes;
  (void)state;
  assert_false(take(0, &bytes));
  check_all(0);
}

static void test_zero_bytes(void **state) {
  uint64_t bytes = 7;
  (void)state;
  assert_true(put(1, 0));
  assert_true(take(1, &bytes));
  assert_int_equal(bytes, 0);
  assert_false(take(1, &bytes));
}

/* Grows several times, and gaps are closed in runs that begin elsewhere. */
static void test_many(void **state) {
  uint32_t random = 1;
  size_t count = 0;
  (void)state;
  for (uint32_t step = 0; step < 30 * SLOTS; step++) {
    random = random * 1664525u + 1013904223u;
    size_t slot = (random >> 8) % SLOTS;
    uint64_t bytes = 0;
    if (expected[slot]) {
      assert_true(take(slot, &bytes));
      assert_int_equal(bytes, expected[slot]);
      expected[slot] = 0;
      count--;
    } else {
      assert_false(take(slot, &bytes));
      expected[slot] = step + 1;
      assert_true(put(slot, expected[slot]));
      count++;
    }
  }
  check_all(count);
  for (size_t slot = 0; slot < SLOTS; slot++) {
    uint64_t bytes;
    assert_int_equal(take(slot, &bytes), expected[slot] != 0);
  }
  check_all(0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_empty),
                                     cmocka_unit_test(test_zero_bytes),
                                     cmocka_unit_test(test_many)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
