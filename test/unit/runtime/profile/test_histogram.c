/* test_histogram.c - counts by binary digits: what is put is what was counted, however the row grew.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/histogram.h"
#include "system_double.h"

#include <string.h>

static struct hp_pool pool;

static int start(void **state) {
  (void)state;
  return hp_pool_start(&pool, 1 << 20, 1 << 12) ? 0 : -1;
}

/* What hp_histogram_put appends, as numbers: the lowest digits, then counts. */
static size_t numbers_of(uint32_t histogram, uint64_t *numbers) {
  struct hp_bytes to = {0};
  hp_histogram_put(histogram, &pool, &to);
  size_t count = 0;
  for (size_t i = 0; i < to.size; count++) {
    unsigned shift = 0;
    numbers[count] = 0;
    do {
      numbers[count] |= (uint64_t)(to.data[i] & 0x7f) << shift;
      shift += 7;
    } while (to.data[i++] & 0x80);
  }
  hp_bytes_free(&to);
  return count;
}

static void digits_are_counted(void **state) {
  (void)state;
  uint32_t histogram = 0;
  const uint64_t values[] = {1, 2, 3, 4, 7, 8};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++)
    assert_true(hp_histogram_count(&histogram, &pool, values[i], 1));
  uint64_t numbers[70];
  const uint64_t expected[] = {1, 1, 2, 2, 1}; /* from 1 digit: 1; 2, 3; ... */
  assert_int_equal(numbers_of(histogram, numbers), 5);
  assert_memory_equal(numbers, expected, sizeof expected);
}

static void zero_has_no_digit(void **state) {
  (void)state;
  uint32_t histogram = 0;
  assert_true(hp_histogram_count(&histogram, &pool, 0, 3));
  uint64_t numbers[70];
  assert_int_equal(numbers_of(histogram, numbers), 2);
  assert_int_equal(numbers[0], 0);
  assert_int_equal(numbers[1], 3);
}

/* One by one, at once as the first, at once in a new place, and down again. */
static void counters_get_large(void **state) {
  (void)state;
  uint32_t histogram = 0;
  for (unsigned i = 0; i < 70000; i++)
    assert_true(hp_histogram_count(&histogram, &pool, 1, 1));
  assert_true(hp_histogram_count(&histogram, &pool, 2, 5));
  assert_true(hp_histogram_count(&histogram, &pool, 2, -(uint64_t)2));
  assert_true(hp_histogram_count(&histogram, &pool, UINT64_MAX, 1));
  uint64_t numbers[70];
  assert_int_equal(numbers_of(histogram, numbers), 65);
  assert_int_equal(numbers[1], 70000);
  assert_int_equal(numbers[2], 3);
  assert_int_equal(numbers[64], 1);
  histogram = 0;
  assert_true(hp_histogram_count(&histogram, &pool, 1, 100000));
  assert_int_equal(numbers_of(histogram, numbers), 2);
  assert_int_equal(numbers[1], 100000);
  histogram = 0;
  assert_true(hp_histogram_count(&histogram, &pool, 1, 7));
  assert_true(hp_histogram_count(&histogram, &pool, UINT64_MAX, 100000));
  assert_int_equal(numbers_of(histogram, numbers), 65);
  assert_int_equal(numbers[1], 7);
  assert_int_equal(numbers[64], 100000);
}

/* Downwards, upwards, and from one end to the other. */
static void grows_at_both_ends(void **state) {
  (void)state;
  uint32_t histogram = 0;
  const uint64_t values[] = {1 << 20, 1 << 10, UINT64_MAX, 0, 1 << 20};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++)
    assert_true(hp_histogram_count(&histogram, &pool, values[i], i + 1));
  uint64_t numbers[70], sum = 0;
  assert_int_equal(numbers_of(histogram, numbers), 1 + 65);
  assert_int_equal(numbers[0], 0);
  assert_int_equal(numbers[1 + 0], 4);
  assert_int_equal(numbers[1 + 11], 2);
  assert_int_equal(numbers[1 + 21], 1 + 5);
  assert_int_equal(numbers[1 + 64], 3);
  for (size_t i = 1; i <= 65; i++)
    sum += numbers[i];
  assert_int_equal(sum, 15);
}

/* What was counted before stays as it was. */
static void without_memory_it_says_so(void **state) {
  (void)state;
  uint32_t histogram = 0;
  assert_true(hp_histogram_count(&histogram, &pool, 1, 1));
  double_commit_limit = double_reserve_limit = 0;
  while (hp_pool_take(&pool, 4096))
    ;
  while (hp_pool_take(&pool, 32))
    ;
  assert_false(hp_histogram_count(&histogram, &pool, UINT64_MAX, 1));
  double_commit_limit = double_reserve_limit = SIZE_MAX;
  uint64_t numbers[70];
  assert_int_equal(numbers_of(histogram, numbers), 2);
  assert_int_equal(numbers[1], 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(digits_are_counted, start),
      cmocka_unit_test_setup(zero_has_no_digit, start),
      cmocka_unit_test_setup(counters_get_large, start),
      cmocka_unit_test_setup(grows_at_both_ends, start),
      cmocka_unit_test_setup(without_memory_it_says_so, start),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
