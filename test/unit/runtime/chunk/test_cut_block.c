/* test_cut_block.c - which granules have a list, against an array of all of them;
   blocks are taken again when they are given back.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/cut_block.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#define BEGIN ((uintptr_t)0x18000000020)

static uint64_t next_random(void) {
  static uint64_t state = 88172645463325252u;
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

static void expect_neighbours(const struct hp_cut_block *block,
                              const uint32_t *heads, uint64_t granules,
                              uint64_t at) {
  uint64_t before = HP_CUT_NONE, after = HP_CUT_NONE;
  for (uint64_t i = 0; i < granules; i++) {
    if (heads[i] && i <= at)
      before = i;
    if (heads[i] && i >= at && after == HP_CUT_NONE)
      after = i;
  }
  assert_int_equal(hp_cut_before(block, at), before);
  assert_int_equal(hp_cut_after(block, at), after);
  assert_int_equal(hp_cut_head(block, at), heads[at]);
}

static void compare(uint64_t granules, unsigned share) {
  uint32_t *heads = calloc(granules, sizeof *heads);
  struct hp_cut_block *block =
      hp_cut_take(BEGIN, granules * HP_CUT_GRANULE, NULL);
  assert_non_null(block);
  for (unsigned round = 0; round < 2000; round++) {
    const uint64_t at = next_random() % granules;
    const uint32_t head = next_random() % share ? 0 : round + 1;
    heads[at] = head;
    hp_cut_set_head(block, at, head);
    if (round % 4 == 0)
      expect_neighbours(block, heads, granules, next_random() % granules);
  }
  expect_neighbours(block, heads, granules, 0);
  expect_neighbours(block, heads, granules, granules - 1);
  for (uint64_t i = 0; i < granules; i++)
    hp_cut_set_head(block, i, 0);
  assert_int_equal(hp_cut_before(block, granules - 1), HP_CUT_NONE);
  assert_int_equal(hp_cut_after(block, 0), HP_CUT_NONE);
  hp_cut_give(block);
  free(heads);
}

static void finds_neighbours_at_all_levels(void **state) {
  (void)state;
  const uint64_t granules[] = {1, 63, 64, 65, 4096, 4097, 70000};
  for (size_t i = 0; i < sizeof granules / sizeof *granules; i++) {
    compare(granules[i], 2);
    compare(granules[i], 50);
  }
}

static void knows_what_lies_outside(void **state) {
  (void)state;
  struct hp_cut_block *block = hp_cut_take(BEGIN, 100, NULL);
  hp_cut_set_head(block, 3, 7);
  assert_int_equal(hp_cut_head(block, 1000000), 0);
  assert_int_equal(hp_cut_before(block, 1000000), 3);
  assert_int_equal(hp_cut_after(block, 1000000), HP_CUT_NONE);
  hp_cut_set_head(block, 3, 0);
  hp_cut_give(block);
}

/* Of the same order; all of them can be reached. */
static void is_taken_again(void **state) {
  (void)state;
  struct hp_cut_block *block = hp_cut_take(BEGIN, 5000, NULL);
  hp_cut_set_head(block, 100, 1);
  hp_cut_set_head(block, 100, 0);
  hp_cut_give(block);
  assert_int_equal(block->begin, 0);
  struct hp_cut_block *again = hp_cut_take(BEGIN + 64, 6000, NULL);
  assert_ptr_equal(again, block);
  assert_int_equal(again->begin, BEGIN + 64);
  assert_int_equal(hp_cut_after(again, 0), HP_CUT_NONE);
  struct hp_cut_block *large = hp_cut_take(BEGIN, (uint64_t)1 << 26, NULL);
  assert_ptr_not_equal(large, block);
  bool found = false;
  for (const struct hp_cut_block *b = hp_cut_first(); b; b = b->next)
    found = found || b == block;
  assert_true(found);
  hp_cut_set_head(large, ((uint64_t)1 << 22) - 1, 9);
  assert_int_equal(hp_cut_before(large, ((uint64_t)1 << 22) - 1),
                   ((uint64_t)1 << 22) - 1);
  hp_cut_set_head(large, ((uint64_t)1 << 22) - 1, 0);
  hp_cut_give(large); /* its lists' memory goes back */
  assert_ptr_equal(hp_cut_take(BEGIN, (uint64_t)1 << 26, NULL), large);
}

static void refuses_what_is_too_large(void **state) {
  (void)state;
  assert_null(hp_cut_take(BEGIN, (uint64_t)1 << 46, NULL));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(finds_neighbours_at_all_levels),
      cmocka_unit_test(knows_what_lies_outside),
      cmocka_unit_test(is_taken_again),
      cmocka_unit_test(refuses_what_is_too_large)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
