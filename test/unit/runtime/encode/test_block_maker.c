/* test_block_maker.c - what a block is compressed with: taken when it is needed, and kept for the next maker if so wanted.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "encode/block_maker.h"
#include "system_double.h"

enum { ZEROS = 4096, LEVEL = 1 };
#define FOR_BLOCKS ((size_t)1 << 17) /* not for a compressor */

/* A maker of its own makes a block of zeros, and rests. */
static bool is_compressed(void) {
  static const uint8_t zeros[ZEROS];
  struct hp_block_maker maker = {0};
  struct hp_bytes payload = {0}, block = {0};
  assert_true(hp_bytes_reserve(&block, 2 * ZEROS));
  hp_put_bytes(&payload, zeros, ZEROS);
  hp_block_maker_start(&maker, LEVEL);
  assert_int_equal(hp_block_make(&maker, HP_BLOCK_CHUNKS, 1, &payload, &block),
                   0);
  hp_block_maker_rest(&maker);
  const struct hp_block_header head = hp_block_head(block.data);
  assert_int_equal(head.raw_size, ZEROS);
  assert_int_equal(head.stored_size < ZEROS, head.flags == HP_BLOCK_ZLIB);
  hp_bytes_free(&payload);
  hp_bytes_free(&block);
  return head.flags == HP_BLOCK_ZLIB;
}

static bool is_compressed_without_memory(void) {
  double_commit_limit = FOR_BLOCKS;
  const bool is = is_compressed();
  double_commit_limit = SIZE_MAX;
  return is;
}

static void test_rests(void **state) {
  (void)state;
  assert_true(is_compressed());
  assert_false(is_compressed_without_memory());
  assert_true(is_compressed());
}

static void test_kept(void **state) {
  (void)state;
  hp_block_makers_keep(true);
  assert_true(is_compressed());
  assert_true(is_compressed_without_memory());
  assert_true(is_compressed_without_memory());
  hp_block_makers_keep(false);
  assert_false(is_compressed_without_memory());
}

int main(void) {
  static const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rests),
      cmocka_unit_test(test_kept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
