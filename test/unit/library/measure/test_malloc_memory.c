/* test_malloc_memory.c - what glibc's malloc takes for chunks: by hand, also
   where only means are known.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "measure/malloc_memory.h"

static void steps_of_one_chunk(void **state) {
  (void)state;
  assert_int_equal(hp_malloc_size(0), 32);
  assert_int_equal(hp_malloc_size(24), 32);
  assert_int_equal(hp_malloc_size(25), 48);
  assert_int_equal(hp_malloc_size(40), 48);
  assert_int_equal(hp_malloc_size(4096), 4112);
  assert_int_equal(hp_malloc_size((128 << 10) - 1), (128 << 10) + 16);
  assert_int_equal(hp_malloc_size(128 << 10), (132 << 10));
  assert_int_equal(hp_malloc_size(UINT64_MAX), UINT64_MAX);
}

static const struct hp_min_mean_max any = {.defined = true, .min = 1, .max = 9};
static const struct hp_histogram none;

static uint64_t of_size(uint64_t chunks, uint64_t size) {
  const struct hp_min_mean_max one = {
      .defined = true, .min = size, .max = size};
  return hp_malloc_memory(chunks, chunks * size, &one, &none);
}

static void chunks_of_one_size_are_exact(void **state) {
  (void)state;
  assert_int_equal(of_size(30000, 10), 30000 * 32);
  assert_int_equal(of_size(1000, 100), 1000 * 112);
  assert_int_equal(of_size(0, 100), 0);
}

static void nothing_takes_less_than_was_asked_for(void **state) {
  (void)state;
  const struct hp_min_mean_max one = {.defined = true, .min = 8, .max = 8};
  assert_int_equal(hp_malloc_memory(0, 800, &one, &none), 800);
  assert_int_equal(hp_malloc_memory(0, 800, &any, &none), 800);
  assert_int_equal(hp_malloc_memory(UINT64_MAX, UINT64_MAX, &any, &none),
                   UINT64_MAX);
}

/* As a table of sizes that all occur alike often has it. */
static void small_ones_by_their_digits(void **state) {
  (void)state;
  const uint64_t counts[] = {8, 16}; /* of [8, 16), of [16, 32) */
  const struct hp_histogram sizes = {4, 2, counts};
  const uint64_t bytes = 8 * 11 + 16 * 24;
  /* 8 times 32 - 11.5, 16 times 12; and never below 32 each. */
  assert_int_equal(hp_malloc_memory(24, bytes, &any, &sizes),
                   24 * 32 > bytes + 356 ? 24 * 32 : bytes + 356);
  const uint64_t large[] = {10};
  const struct hp_histogram others = {10, 1, large};
  assert_int_equal(hp_malloc_memory(10, 8000, &any, &others), 8000 + 120);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_of_one_chunk),
      cmocka_unit_test(chunks_of_one_size_are_exact),
      cmocka_unit_test(nothing_takes_less_than_was_asked_for),
      cmocka_unit_test(small_ones_by_their_digits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
