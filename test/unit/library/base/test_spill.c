/* test_spill.c - blocks of a file keep what was written while pages leave the memory.
   Stores take their slabs from it beyond the bound, and ordinary memory without a file.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/spill.h"

#include "base/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

enum { BLOCKS = 3000, SIZE = 60000 }; /* more than a part of the file */

static void blocks_keep_what_was_written(void **state) {
  (void)state;
  struct hp_spill spill = {.bound = 1 << 20};
  static uint32_t *blocks[BLOCKS];
  for (uint32_t i = 0; i < BLOCKS; i++) {
    blocks[i] = hp_spill_take(&spill, SIZE + i % 16);
    assert_non_null(blocks[i]);
    assert_int_equal((uintptr_t)blocks[i] % 16, 0);
    assert_int_equal(blocks[i][0], 0);
    assert_int_equal(blocks[i][SIZE / 4 - 1], 0);
    blocks[i][0] = i;
    blocks[i][SIZE / 4 - 1] = ~i;
  }
  for (uint32_t i = 0; i < BLOCKS; i++) {
    hp_spill_use_one(&spill);
    assert_int_equal(blocks[i][0], i);
    assert_int_equal(blocks[i][SIZE / 4 - 1], ~i);
  }
  hp_spill_close(&spill);
  assert_null(spill.newest);
}

static void pages_leave_the_memory(void **state) {
  (void)state;
  struct hp_spill spill = {.bound = 1 << 20};
  struct rusage before, after;
  getrusage(RUSAGE_SELF, &before);
  for (int i = 0; i < BLOCKS; i++)
    memset(hp_spill_take(&spill, SIZE), 1, SIZE);
  getrusage(RUSAGE_SELF, &after);
  assert_true(after.ru_maxrss - before.ru_maxrss < BLOCKS * (SIZE >> 10) / 2);
  hp_spill_close(&spill);
}

static void a_store_takes_slabs_of_the_file_beyond_the_bound(void **state) {
  (void)state;
  struct hp_spill spill = {.bound = 1 << 20};
  struct hp_store store = {.spill = &spill};
  char *first = hp_store_text(&store, "first", 5);
  for (int i = 0; i < 1000; i++) {
    uint64_t *words = hp_store_take(&store, 500, sizeof *words);
    for (int k = 0; k < 500; k++) {
      assert_int_equal(words[k], 0);
      words[k] = UINT64_MAX;
    }
  }
  assert_non_null(spill.newest);
  assert_true(spill.slabs < 2 << 20);
  assert_string_equal(first, "first");
  assert_non_null(hp_store_take(&store, 1 << 20, 1)); /* more than a slab */
  hp_store_free(&store);
  assert_int_equal(spill.slabs, 0);
  hp_spill_close(&spill);
}

/* As where the disk is full. */
static void without_a_file_ordinary_memory_has_to_do(void **state) {
  (void)state;
  struct hp_spill spill = {.bound = 1, .has_failed = true};
  struct hp_store store = {.spill = &spill};
  assert_null(hp_spill_take(&spill, 64));
  for (int i = 0; i < 100; i++)
    assert_non_null(hp_store_take(&store, 60000, 1));
  assert_null(spill.newest);
  hp_store_free(&store);
  hp_spill_close(&spill);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pages_leave_the_memory),
      cmocka_unit_test(blocks_keep_what_was_written),
      cmocka_unit_test(a_store_takes_slabs_of_the_file_beyond_the_bound),
      cmocka_unit_test(without_a_file_ordinary_memory_has_to_do),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
