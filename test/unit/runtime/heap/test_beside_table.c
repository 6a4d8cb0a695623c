/* test_beside_table.c - places put in, taken out and walked over, beside a plain array that says what must be there; and the
   index made of them, which finds what begins at an address or before.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "heap/beside_table.h"
#include "leak/beside_index.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SLOTS 20000u

/* As in a slot: the place stands behind the record. */
static struct record {
  struct hp_chunk chunk;
  uintptr_t place;
  uintptr_t rest[3];
} records[SLOTS];
static bool is_there[SLOTS];

/* Close together, in two ranges far apart. */
static uintptr_t place_of(size_t slot) {
  return (slot % 2 ? (uintptr_t)0x7f0000000000 : (uintptr_t)0x5555000) +
         32 * slot;
}

static void put(size_t slot) {
  struct hp_chunk *before;
  *hp_beside_place(&records[slot].chunk) = place_of(slot);
  assert_true(hp_beside_put(place_of(slot), &records[slot].chunk, &before));
  assert_null(before);
  is_there[slot] = true;
}

static void take(size_t slot) {
  struct hp_chunk *record = hp_beside_take(place_of(slot));
  assert_ptr_equal(record, is_there[slot] ? &records[slot].chunk : NULL);
  is_there[slot] = false;
}

static void count(const struct hp_chunk *record, void *arg) {
  size_t slot = (size_t)((const struct record *)(const void *)record - records);
  assert_true(slot < SLOTS && is_there[slot]);
  *(size_t *)arg += 1;
}

static size_t expected(void) {
  size_t n = 0;
  for (size_t i = 0; i < SLOTS; i++)
    n += is_there[i];
  return n;
}

static void check_all(void) {
  size_t walked = 0;
  hp_beside_each(count, &walked);
  assert_int_equal(walked, expected());
  assert_int_equal(hp_beside_count(), expected());
}

static void test_none(void **state) {
  (void)state;
  assert_null(hp_beside_take(0));
  assert_null(hp_beside_take(place_of(3)));
  assert_null(hp_beside_find(place_of(3)));
  check_all();
}

/* What nobody saw end is given back, and the new one stands in its place. */
static void test_twice(void **state) {
  struct hp_chunk *before;
  (void)state;
  put(5);
  assert_true(hp_beside_put(place_of(5), &records[7].chunk, &before));
  assert_ptr_equal(before, &records[5].chunk);
  assert_ptr_equal(hp_beside_find(place_of(5)), &records[7].chunk);
  assert_ptr_equal(hp_beside_take(place_of(5)), &records[7].chunk);
  is_there[5] = false;
  check_all();
}

/* Grows several times, and gaps are closed in runs that begin elsewhere. */
static void test_many(void **state) {
  uint32_t random = 1;
  (void)state;
  for (uint32_t step = 0; step < 30 * SLOTS; step++) {
    random = random * 1664525u + 1013904223u;
    size_t slot = (random >> 8) % SLOTS;
    if (is_there[slot])
      take(slot);
    else
      put(slot);
  }
  check_all();
}

/* The one that begins last at or before, by looking at all. */
static const struct hp_chunk *look_at_all(uintptr_t address) {
  const struct hp_chunk *best = NULL;
  uintptr_t at = 0;
  for (size_t i = 0; i < SLOTS; i++)
    if (is_there[i] && place_of(i) <= address && place_of(i) >= at) {
      at = place_of(i);
      best = &records[i].chunk;
    }
  return best;
}

/* Of one that reaches into another GiB. */
#define WIDE 1u

static uint64_t size_of(const struct hp_chunk *chunk) {
  return chunk == &records[WIDE].chunk ? (uint64_t)3 << 30 : 32;
}

/* Where no chunk is within a GiB nothing is found. */
static void test_index(void **state) {
  (void)state;
  if (!is_there[WIDE])
    put(WIDE);
  assert_true(hp_beside_index_start(size_of));
  assert_null(hp_beside_index_find(0x1000));
  for (size_t slot = 0; slot < SLOTS; slot += 97)
    for (uintptr_t more = 0; more < 40; more += 39)
      assert_ptr_equal(hp_beside_index_find(place_of(slot) + more),
                       look_at_all(place_of(slot) + more));
  const uintptr_t wide_end = place_of(WIDE) + ((uintptr_t)3 << 30);
  assert_ptr_equal(hp_beside_index_find(wide_end), look_at_all(wide_end));
  assert_null(hp_beside_index_find(((uintptr_t)1 << 48) - 1));
  assert_null(hp_beside_index_find((uintptr_t)0x5555 << 30));
  hp_beside_index_end();
  assert_null(hp_beside_index_find(wide_end));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_none), cmocka_unit_test(test_twice),
      cmocka_unit_test(test_many), cmocka_unit_test(test_index)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
