/* test_mapping_tree.c - mapping_tree.h: ranges put, cut and put back, against an array with a site for each page.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "chunk/mapping_tree.h"

#define PAGE ((uintptr_t)4096)
#define BASE ((uintptr_t)0x10000000)
#define PAGES 256u

static uint32_t expected[PAGES]; /* sites; 0: nothing */

static uintptr_t at(unsigned page) { return BASE + page * PAGE; }

/* What the tree has is what is expected, page by page, without overlap. */
static void require_same(void) {
  uint32_t found[PAGES] = {0};
  uintptr_t from = 0;
  for (const struct hp_mapped *r; (r = hp_mapping_tree_find(from));
       from = r->end) {
    assert_true(r->begin >= from && r->begin < r->end);
    for (uintptr_t p = r->begin; p < r->end; p += PAGE)
      found[(p - BASE) / PAGE] = r->site;
  }
  assert_memory_equal(found, expected, sizeof found);
}

static uint32_t pages_of(uint32_t list) {
  uintptr_t bytes = 0, before = 0;
  for (; list; list = hp_mapping_tree_range(list)->right) {
    const struct hp_mapped *r = hp_mapping_tree_range(list);
    assert_true(r->begin >= before);
    before = r->end;
    bytes += r->end - r->begin;
  }
  return (uint32_t)(bytes / PAGE);
}

static void put(unsigned from, unsigned to, uint32_t site) {
  assert_true(hp_mapping_tree_put(at(from), at(to), site));
  for (unsigned i = from; i < to; i++)
    expected[i] = site;
}

static uint32_t cut(unsigned from, unsigned to) {
  unsigned there = 0;
  for (unsigned i = from; i < to; i++)
    there += expected[i] != 0;
  const uint32_t list = hp_mapping_tree_cut(at(from), at(to));
  assert_int_equal(pages_of(list), there);
  return list;
}

static void start(void) {
  assert_true(hp_mapping_tree_start());
  memset(expected, 0, sizeof expected);
}

static void a_part_that_is_cut_leaves_both_ends(void **state) {
  (void)state;
  start();
  put(10, 20, 1);
  hp_mapping_tree_forget(cut(12, 15));
  memset(&expected[12], 0, 3 * sizeof *expected);
  require_same();
  assert_int_equal(cut(12, 15), 0);
  assert_null(hp_mapping_tree_find(at(20)));
  assert_int_equal(hp_mapping_tree_find(at(13))->begin, at(15));
}

static void neighbours_of_one_site_become_one(void **state) {
  (void)state;
  start();
  put(10, 12, 1);
  put(12, 14, 1); /* behind */
  put(8, 10, 1);  /* ahead */
  put(14, 15, 2);
  require_same();
  const struct hp_mapped *r = hp_mapping_tree_find(0);
  assert_true(r->begin == at(8) && r->end == at(14));
}

static void what_is_put_back_is_there_again(void **state) {
  (void)state;
  start();
  put(0, 4, 1);
  put(4, 8, 2);
  put(9, 12, 3);
  hp_mapping_tree_put_back(cut(2, 10));
  require_same();
}

static void any_order_is_kept(void **state) {
  (void)state;
  srand(1);
  start();
  for (unsigned i = 0; i < 20000; i++) {
    const unsigned from = (unsigned)rand() % PAGES;
    const unsigned to = from + 1 + (unsigned)rand() % (PAGES - from);
    const uint32_t list = cut(from, to);
    const unsigned what = (unsigned)rand() % 3;
    if (what == 0) {
      hp_mapping_tree_put_back(list);
      continue;
    }
    hp_mapping_tree_forget(list);
    memset(&expected[from], 0, (to - from) * sizeof *expected);
    if (what == 1)
      put(from, to, 1 + (unsigned)rand() % 3);
    if (i % 16 == 0)
      require_same();
  }
  require_same();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_part_that_is_cut_leaves_both_ends),
      cmocka_unit_test(neighbours_of_one_site_become_one),
      cmocka_unit_test(what_is_put_back_is_there_again),
      cmocka_unit_test(any_order_is_kept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
