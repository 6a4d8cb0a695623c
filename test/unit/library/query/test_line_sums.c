/* test_line_sums.c - lines that threads write, by hand: which of them are shared falsely, and
   what their parts are called.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "query/line_sums.h"

static struct hp_store store;

/* struct { int a, b; int counts[4]; struct { short x, y; } many[2]; long c; } */
static const struct hp_layout_member members[] = {
    {.name = "a", .offset = 0, .size = 4, .count = 1},
    {.name = "b", .offset = 4, .size = 4, .count = 1},
    {.name = "counts", .offset = 8, .size = 16, .count = 1, .element = 4},
    {.name = "many[].x", .offset = 24, .size = 2, .count = 2, .stride = 4},
    {.name = "many[].y", .offset = 26, .size = 2, .count = 2, .stride = 4},
    {.name = "c", .offset = 32, .size = 8, .count = 1},
};
static const struct hp_layout layout = {
    .type = "T", .size = 40, .align = 8, .members = members, .count = 6};
enum { A, B, COUNTS, X, Y, C };

static struct hp_member told[6];
static size_t count;

static const struct hp_false_line *sum(const struct hp_layout *of,
                                       uint64_t element,
                                       const struct hp_shared_line *lines,
                                       size_t n) {
  const struct hp_members rows = {.lines = lines, .line_count = n};
  struct hp_line_sums sums = {.store = &store,
                              .layout = of,
                              .element_size = element,
                              .members = of ? told : NULL};
  for (size_t i = 0; i < 6; i++)
    told[i] = (struct hp_member){0};
  assert_true(hp_line_sums_add(&sums, &rows));
  const struct hp_false_line *result = hp_line_sums_finish(&sums);
  assert_non_null(result);
  count = sums.count;
  hp_line_sums_free(&sums);
  return result;
}

/* Two threads, each 100 times at BYTES of its own. */
static const struct hp_line_writer ab[] = {{2, 100, 0, 100, 0xf},
                                           {3, 100, 0, 200, 0xf0}};
static const struct hp_shared_line line = {0, 40, ab, 2};

static void two_members(void **state) {
  (void)state;
  const struct hp_false_line *found = sum(&layout, 40, &line, 1);
  assert_int_equal(count, 1);
  assert_int_equal(found->offset, 0);
  assert_int_equal(found->turns, 40);
  assert_int_equal(found->chunks, 1);
  assert_int_equal(found->count, 2);
  assert_string_equal(found->parts[0].name, "a");
  assert_int_equal(found->parts[0].thread, 2);
  assert_int_equal(found->parts[0].size, 4);
  assert_string_equal(found->parts[1].name, "b");
  assert_int_equal(found->parts[1].writes, 200);
  assert_int_equal(found->parts[1].offset, 4);
  assert_int_equal(told[A].side_writes, 100);
  assert_int_equal(told[B].side_writes, 200);
  assert_int_equal(told[C].side_writes, 0);
}

static void chunks_add_up(void **state) {
  (void)state;
  struct hp_shared_line lines[] = {line, line, {64, 50, ab, 2}};
  const struct hp_false_line *found = sum(&layout, 40, lines, 3);
  assert_int_equal(count, 2);
  assert_int_equal(found[0].turns, 80); /* most first */
  assert_int_equal(found[0].chunks, 2);
  assert_int_equal(found[0].parts[1].writes, 400);
  assert_int_equal(found[1].offset, 64);
}

static void elements_are_told_by_number(void **state) {
  (void)state;
  static const struct hp_line_writer by[] = {{2, 100, 0, 100, 0xfu << 8},
                                             {3, 100, 0, 100, 0xfu << 16},
                                             {4, 100, 0, 100, 0xfu << 28}};
  const struct hp_shared_line one = {0, 40, by, 3};
  const struct hp_false_line *found = sum(&layout, 40, &one, 1);
  assert_string_equal(found->parts[0].name, "counts[0]");
  assert_string_equal(found->parts[1].name, "counts[2]");
  assert_string_equal(found->parts[2].name, "many[1].x, many[1].y");
  /* Of a chunk of several records. */
  static const struct hp_line_writer records[] = {
      {2, 100, 0, 100, 0xf}, {3, 100, 0, 100, 0xfull << 40}};
  const struct hp_shared_line two = {0, 40, records, 2};
  found = sum(&layout, 40, &two, 1);
  assert_string_equal(found->parts[0].name, "[0].a");
  assert_string_equal(found->parts[1].name, "[1].a");
  assert_int_equal(told[A].side_writes, 200);
  /* Of numbers, and of nobody knows what. */
  found = sum(NULL, 4, &two, 1);
  assert_string_equal(found->parts[1].name, "[10]");
  found = sum(NULL, 0, &two, 1);
  assert_null(found->parts[1].name);
  assert_int_equal(found->parts[1].offset, 40);
}

static void many_members_are_some(void **state) {
  (void)state;
  static const struct hp_line_writer by[] = {{2, 100, 0, 100, 0xffffffff},
                                             {3, 100, 0, 100, 0xffull << 32}};
  const struct hp_shared_line one = {0, 40, by, 2};
  const struct hp_false_line *found = sum(&layout, 40, &one, 1);
  assert_string_equal(found->parts[0].name, "a, b, counts[0] and 7 more");
  assert_string_equal(found->parts[1].name, "c");
}

static void what_is_shared_truly_is_not_told(void **state) {
  (void)state;
  static const struct hp_line_writer alike[] = {{2, 100, 99, 100, 0xff},
                                                {3, 100, 99, 100, 0xff}};
  static const struct hp_line_writer read[] = {{2, 100, 90, 100, 0xf},
                                               {3, 100, 0, 100, 0xf0}};
  static const struct hp_line_writer seldom[] = {{2, 1700, 0, 1700, 0xf},
                                                 {3, 100, 0, 100, 0xf0}};
  static const struct hp_line_writer alone[] = {{2, 100, 0, 100, 0xf}};
  const struct hp_shared_line lines[] = {
      {0, 40, alike, 2},  {0, 40, read, 2},
      {0, 40, seldom, 2}, {0, 7, ab, 2}, /* handed on */
      {0, 40, alone, 1},
  };
  sum(&layout, 40, lines, sizeof lines / sizeof *lines);
  assert_int_equal(count, 0);
  /* Not in turns: long runs of each. */
  static const struct hp_line_writer runs[] = {{2, 200000, 0, 200000, 0xf},
                                               {3, 200000, 0, 200000, 0xf0}};
  const struct hp_shared_line long_runs[] = {{0, 11, runs, 2},
                                             {0, 12, runs, 2}};
  sum(&layout, 40, &long_runs[0], 1);
  assert_int_equal(count, 0);
  sum(&layout, 40, &long_runs[1], 1);
  assert_int_equal(count, 1);
}

/* One that writes now and then, such as who adds up, takes no bytes from others. */
static void seldom_writers_do_not_matter(void **state) {
  (void)state;
  static const struct hp_line_writer by[] = {
      {1, 1, 1, 1, 0xff}, {2, 100, 3, 100, 0xf}, {3, 100, 0, 100, 0xf0}};
  const struct hp_shared_line one = {0, 40, by, 3};
  const struct hp_false_line *found = sum(&layout, 40, &one, 1);
  assert_int_equal(count, 1);
  assert_int_equal(found->count, 2);
}

static int forget(void **state) {
  (void)state;
  hp_store_free(&store);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_members),
      cmocka_unit_test(chunks_add_up),
      cmocka_unit_test(elements_are_told_by_number),
      cmocka_unit_test(many_members_are_some),
      cmocka_unit_test(what_is_shared_truly_is_not_told),
      cmocka_unit_test(seldom_writers_do_not_matter),
  };
  return cmocka_run_group_tests(tests, NULL, forget);
}
