/* test_pool.c - blocks that are given back are handed out again, whole and in halves, and no byte twice.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "system/pool.h"
#include "system_double.h"

#include <stdlib.h>
#include <string.h>

static struct hp_pool pool;

static int start(void **state) {
  (void)state;
  return hp_pool_start(&pool, 1 << 22, 1 << 12) ? 0 : -1;
}

static void a_block_is_handed_out_again_and_is_zero(void **state) {
  (void)state;
  const uint32_t block = hp_pool_take(&pool, 100);
  assert_true(block);
  memset(hp_pool_block(&pool, block), 1, 128);
  hp_pool_give(&pool, block, 100);
  assert_int_equal(hp_pool_take(&pool, 128), block);
  for (size_t i = 0; i < 128; i++)
    assert_int_equal(((char *)hp_pool_block(&pool, block))[i], 0);
}

static void a_larger_one_is_cut(void **state) {
  (void)state;
  const uint32_t block = hp_pool_take(&pool, 256);
  hp_pool_give(&pool, block, 256);
  const size_t used = pool.arena.used;
  /* 32 of its 256 bytes, then the rest of these, and then there is no more. */
  assert_int_equal(hp_pool_take(&pool, 32), block);
  assert_int_equal(hp_pool_take(&pool, 128), block + 4);
  assert_int_equal(hp_pool_take(&pool, 64), block + 2);
  assert_int_equal(hp_pool_take(&pool, 32), block + 1);
  assert_int_equal(pool.arena.used, used);
  assert_true(hp_pool_take(&pool, 32) > block);
  assert_int_equal(pool.arena.used, used + 32);
}

/* Of two rows in turns, one that is in use between them. */
static void neighbours_are_one_block_again(void **state) {
  (void)state;
  uint32_t blocks[9];
  for (size_t i = 0; i < 9; i++)
    blocks[i] = hp_pool_take(&pool, 32);
  const size_t used = pool.arena.used;
  const size_t order[] = {0, 5, 1, 6, 3, 8, 2, 7};
  for (size_t i = 0; i < 8; i++)
    hp_pool_give(&pool, blocks[order[i]], 32);
  assert_int_equal(hp_pool_take(&pool, 128), blocks[5]);
  assert_int_equal(hp_pool_take(&pool, 128), blocks[0]);
  assert_int_equal(pool.arena.used, used);
}

static void no_byte_is_handed_out_twice(void **state) {
  (void)state;
  enum { BLOCKS = 300, STEPS = 20000 };
  struct {
    uint32_t at;
    size_t size;
  } blocks[BLOCKS] = {0};
  srand(1);
  for (int step = 0; step < STEPS; step++) {
    const size_t i = (size_t)rand() % BLOCKS;
    if (blocks[i].at) {
      const unsigned char *bytes = hp_pool_block(&pool, blocks[i].at);
      for (size_t k = 0; k < blocks[i].size; k++)
        assert_int_equal(bytes[k], (unsigned char)i);
      hp_pool_give(&pool, blocks[i].at, blocks[i].size);
      blocks[i].at = 0;
      continue;
    }
    blocks[i].size = (size_t)32 << rand() % 7;
    blocks[i].at = hp_pool_take(&pool, blocks[i].size);
    assert_true(blocks[i].at);
    memset(hp_pool_block(&pool, blocks[i].at), (int)i, blocks[i].size);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(a_block_is_handed_out_again_and_is_zero, start),
      cmocka_unit_test_setup(a_larger_one_is_cut, start),
      cmocka_unit_test_setup(neighbours_are_one_block_again, start),
      cmocka_unit_test_setup(no_byte_is_handed_out_twice, start),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
