/* test_chunk_order.c - the order of chunks: few and many, with keys that differ in high bits, in low ones or in none.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "encode/chunk_order.h"
#include "system_double.h"

enum { MANY = 50000 };

static struct hp_chunk_reference r[MANY],
    scratch[HP_CHUNK_ORDER_PART + HP_CHUNK_ORDER_SPARE];

static bool is_before(const struct hp_chunk_reference *a,
                      const struct hp_chunk_reference *b) {
  if (a->point != b->point)
    return a->point < b->point;
  return a->t0 != b->t0 ? a->t0 < b->t0 : a->thread < b->thread;
}

/* Each of COUNT is there still, and its keys are those that it came with. */
static void sort(size_t count) {
  static struct hp_chunk_reference before[MANY];
  static bool seen[MANY];
  for (size_t i = 0; i < count; i++) {
    r[i].chunk = &before[i];
    before[i] = r[i];
    seen[i] = false;
  }
  hp_chunk_order_sort_many(r, count, scratch);
  for (size_t i = 0; i < count; i++) {
    const struct hp_chunk_reference *from = r[i].chunk;
    assert_false(seen[from - before]);
    seen[from - before] = true;
    assert_memory_equal(from, &r[i], sizeof *from);
    assert_true(i == 0 || !is_before(&r[i], &r[i - 1]));
  }
}

static uint64_t next(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return *seed >> 20;
}

static void test_any_number(void **state) {
  (void)state;
  static const size_t counts[] = {
      1, 2, 100, HP_CHUNK_ORDER_PART, HP_CHUNK_ORDER_PART + 1, MANY};
  uint64_t seed = 1;
  for (size_t n = 0; n < sizeof counts / sizeof *counts; n++) {
    for (size_t i = 0; i < counts[n]; i++)
      r[i] = (struct hp_chunk_reference){.t0 = next(&seed) << 20,
                                         .point = (uint32_t)next(&seed) % 9,
                                         .thread = (uint32_t)next(&seed) % 3};
    sort(counts[n]);
    sort(counts[n]); /* in order already */
  }
}

static void test_equal_keys(void **state) {
  (void)state;
  for (size_t i = 0; i < MANY; i++)
    r[i] = (struct hp_chunk_reference){.t0 = 7, .point = 3, .thread = 1};
  r[MANY / 2].thread = 0;
  sort(MANY);
  assert_int_equal(r[0].thread, 0);
}

/* Bits that differ from the highest to the lowest, one chunk for each, and many for
   none of them: each split takes away one. */
static void test_one_by_one(void **state) {
  (void)state;
  for (size_t i = 0; i < MANY; i++)
    r[i] = (struct hp_chunk_reference){
        .t0 = i < 64 ? (uint64_t)1 << i : 0,
        .point = i >= 64 && i < 96 ? (uint32_t)1 << (i - 64) : 0,
        .thread = i >= 96 && i < 128 ? (uint32_t)1 << (i - 96) : 0};
  sort(MANY);
}

static void test_descending(void **state) {
  (void)state;
  for (size_t i = 0; i < MANY; i++)
    r[i] = (struct hp_chunk_reference){.t0 = MANY - i, .point = 1};
  sort(MANY);
}

int main(void) {
  static const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_any_number),
      cmocka_unit_test(test_equal_keys),
      cmocka_unit_test(test_one_by_one),
      cmocka_unit_test(test_descending),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
