/* test_pairing.c - which point of one run is which of the other.
   Rows are named by their ids: 1.. in the old run, 11.. in the new one.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "frame_list.h"
#include "pairing.h"

#define FRAME(name, at) {.function = name, .line = at}
static const struct hp_frame at_10[] = {FRAME("make", 10), FRAME("main", 1)};
static const struct hp_frame at_20[] = {FRAME("make", 20), FRAME("main", 1)};
static const struct hp_frame at_30[] = {FRAME("make", 30), FRAME("main", 2)};
static const struct hp_frame bare_a[] = {{.module = "/a/x.so", .address = 16}};
static const struct hp_frame bare_b[] = {{.module = "/b/x.so", .address = 16}};
static const struct hp_frame bare_c[] = {{.module = "/a/x.so", .address = 17}};

static struct hp_point point(uint64_t id, const struct hp_frame *stack,
                             size_t count, const char *type) {
  return (struct hp_point){.id = id,
                           .stack = hp_frame_list(stack, count),
                           .stack_count = count,
                           .type = type};
}

/* WANTED: "OLD-NEW " for each pair, 0 for none, in the order they come. */
static void check(const struct hp_point *o, size_t olds,
                  const struct hp_point *n, size_t news, const char *wanted) {
  const struct hp_point *old_points[8], *new_points[8];
  struct hp_pair *pairs;
  size_t count;
  char found[256] = "";
  for (size_t i = 0; i < olds; i++)
    old_points[i] = &o[i];
  for (size_t i = 0; i < news; i++)
    new_points[i] = &n[i];
  assert_true(hp_pair_up((struct hp_points){old_points, olds},
                         (struct hp_points){new_points, news}, &pairs, &count));
  for (size_t i = 0; i < count; i++) {
    const struct hp_point *a = pairs[i].old_point, *b = pairs[i].new_point;
    size_t length = strlen(found);
    snprintf(found + length, sizeof found - length, "%d-%d ",
             a ? (int)a->id : 0, b ? (int)b->id : 0);
  }
  free(pairs);
  assert_string_equal(found, wanted);
}

static void equal_lines_pair_first(void **state) {
  const struct hp_point o[] = {point(1, at_10, 2, NULL),
                               point(2, at_20, 2, NULL)};
  const struct hp_point n[] = {point(11, at_20, 2, NULL)};
  (void)state;
  check(o, 2, n, 1, "1-0 2-11 ");
}

static void moved_lines_pair_in_order(void **state) {
  const struct hp_point o[] = {point(1, at_10, 2, NULL),
                               point(2, at_20, 2, NULL)};
  const struct hp_point n[] = {point(12, at_30, 2, NULL),
                               point(11, at_20, 2, NULL)};
  (void)state;
  check(o, 2, n, 2, "1-11 2-12 ");
  check(o, 1, n, 2, "1-11 0-12 ");
}

static struct hp_point made(uint64_t id, const struct hp_frame *stack,
                            uint64_t chunks) {
  struct hp_point made = point(id, stack, 2, NULL);
  made.chunks = chunks;
  made.bytes = chunks * 8;
  return made;
}

/* A new call ahead of both moved them to where the next one was. */
static void equal_numbers_outweigh_lines(void **state) {
  const struct hp_point o[] = {made(1, at_10, 5), made(2, at_20, 7)};
  const struct hp_point n[] = {made(11, at_10, 1), made(12, at_20, 5),
                               made(13, at_30, 7)};
  const struct hp_point other[] = {made(11, at_10, 6), made(12, at_20, 8),
                                   made(13, at_30, 9)};
  (void)state;
  check(o, 2, n, 3, "0-11 1-12 2-13 ");
  check(o, 2, other, 3, "1-11 2-12 0-13 ");
}

#define BEGUN(name, begin, at)                                                 \
  {.function = name, .line = (begin) + (at), .start_line = (begin)}
static const struct hp_frame begun_1[][1] = {
    {BEGUN("make", 1, 5)}, {BEGUN("make", 1, 8)}, {BEGUN("make", 1, 11)}};
static const struct hp_frame begun_4[][1] = {{BEGUN("make", 4, 8)},
                                             {BEGUN("make", 4, 11)}};

/* All of the function moved by three lines, as far as its calls are apart. */
static void lines_count_from_the_function(void **state) {
  const struct hp_point o[] = {point(1, begun_1[0], 1, NULL),
                               point(2, begun_1[1], 1, NULL),
                               point(3, begun_1[2], 1, NULL)};
  const struct hp_point n[] = {point(12, begun_4[0], 1, NULL),
                               point(13, begun_4[1], 1, NULL)};
  (void)state;
  check(o, 3, n, 2, "1-0 2-12 3-13 ");
}

#define LAMBDA(number) "main::{lambda(int)#" number "}::operator()(int) const"
static const struct hp_frame lambda_9[] = {FRAME(LAMBDA("9"), 1)};
static const struct hp_frame lambda_10[] = {FRAME(LAMBDA("10"), 1)};
static const struct hp_frame lambda_x[] = {FRAME(LAMBDA("x"), 2)};
static const struct hp_frame whole[] = {FRAME("work", 1)};
static const struct hp_frame clone[] = {FRAME("work [clone .part.0]", 1)};

static void what_the_compiler_adds_may_differ(void **state) {
  const struct hp_point o[] = {point(1, lambda_9, 1, NULL),
                               point(2, whole, 1, NULL)};
  const struct hp_point n[] = {point(11, lambda_10, 1, NULL),
                               point(12, clone, 1, NULL)};
  const struct hp_point other[] = {point(11, lambda_x, 1, NULL)};
  (void)state;
  check(o, 2, n, 2, "1-11 2-12 ");
  check(o, 1, other, 1, "1-0 0-11 ");
}

static const struct hp_frame before[] = {FRAME("allocate", 1), FRAME("dup", 7),
                                         FRAME("main", 9)};
static const struct hp_frame after[] = {
    FRAME("allocate", 1), FRAME("copy_text", 7), FRAME("main", 9)};
static const struct hp_frame elsewhere[] = {
    FRAME("allocate", 1), FRAME("copy_text", 8), FRAME("main", 9)};
static const struct hp_frame dup_left[] = {FRAME("dup", 7)};

/* If nothing of the old name is left, and lines or numbers say that it is the
   same. */
static void renamed_functions_pair(void **state) {
  const struct hp_point o[] = {point(1, before, 3, "A")};
  const struct hp_point n[] = {point(11, after, 3, "A")};
  const struct hp_point left[] = {point(11, after, 3, "A"),
                                  point(12, dup_left, 1, NULL)};
  const struct hp_point moved[] = {point(11, elsewhere, 3, "A")};
  struct hp_point same = o[0], as_many = moved[0];
  (void)state;
  check(o, 1, n, 1, "1-11 ");
  check(o, 1, left, 2, "0-11 0-12 1-0 ");
  check(o, 1, moved, 1, "1-0 0-11 ");
  same.chunks = as_many.chunks = 5;
  check(&same, 1, &as_many, 1, "1-11 ");
}

static void renamed_types_pair(void **state) {
  const struct hp_point o[] = {point(1, before, 3, "A"),
                               point(2, at_10, 2, NULL)};
  const struct hp_point n[] = {point(11, before, 3, "B"),
                               point(12, at_10, 2, "C")};
  const struct hp_point both[] = {point(11, before, 3, "B"),
                                  point(12, at_20, 2, "A")};
  (void)state;
  check(o, 2, n, 2, "2-12 1-11 ");
  check(o, 1, both, 2, "0-12 0-11 1-0 ");
}

/* "A" is a type in both runs, so that it is no new name. */
static void unknown_types_pair(void **state) {
  const struct hp_point o[] = {point(1, before, 3, NULL),
                               point(2, at_10, 2, "A")};
  const struct hp_point n[] = {point(11, before, 3, "A"),
                               point(12, at_10, 2, "A")};
  const struct hp_point moved[] = {point(11, at_10, 2, "A"),
                                   point(12, at_20, 2, NULL)};
  (void)state;
  check(o, 2, n, 2, "2-12 1-11 ");
  check(n, 2, o, 2, "12-2 11-1 ");
  check(&o[1], 1, moved, 2, "0-12 2-11 ");
}

#define CALL(name, of, at, own)                                                \
  {.function = name, .line = at, .module = "/a/app", .address = of, own}
static const struct hp_frame with_lines[][3] = {
    {CALL("copy", 16, 3, .inlined = true), CALL("make", 16, 10, .column = 1),
     CALL("main", 64, 20, .column = 1)},
    {CALL("copy", 32, 3, .inlined = true), CALL("make", 32, 11, .column = 1),
     CALL("main", 64, 20, .column = 1)}};
static const struct hp_frame without_lines[][2] = {
    {CALL("make", 18, 0, .column = 0), CALL("main", 66, 0, .column = 0)},
    {CALL("make", 34, 0, .column = 0), CALL("main", 66, 0, .column = 0)}};
static const struct hp_frame stripped[][2] = {
    {CALL(NULL, 16, 0, .column = 0), CALL(NULL, 64, 0, .column = 0)},
    {CALL(NULL, 34, 0, .column = 0), CALL(NULL, 66, 0, .column = 0)}};

/* By functions that are not inlined, in the order of their calls. */
static void what_has_no_lines_pairs(void **state) {
  const struct hp_point o[] = {point(1, with_lines[0], 3, "A"),
                               point(2, with_lines[1], 3, "A")};
  const struct hp_point n[] = {point(11, without_lines[1], 2, "A"),
                               point(12, without_lines[0], 2, "A")};
  const struct hp_point other[] = {point(11, with_lines[0] + 1, 2, "A")};
  (void)state;
  check(o, 2, n, 2, "1-12 2-11 ");
  check(n, 2, o, 2, "12-1 11-2 ");
  check(o, 1, other, 1, "0-11 1-0 ");
}

/* Of a copy of the same program addresses say it; of another one modules and numbers. */
static void what_has_no_names_pairs(void **state) {
  struct hp_point o[] = {point(1, with_lines[0], 3, "A"),
                         point(2, with_lines[1], 3, "A")};
  struct hp_point n[] = {point(11, stripped[0], 2, "A"),
                         point(12, stripped[1], 2, "A")};
  (void)state;
  check(o, 2, n, 2, "1-11 2-0 0-12 ");
  o[1].chunks = n[1].chunks = 5;
  check(o, 2, n, 2, "1-11 2-12 ");
  check(n, 2, o, 2, "11-1 12-2 ");
}

/* Groups have their names for lines. */
static void groups_pair_by_their_keys(void **state) {
  const struct hp_point o[] = {{.id = 1, .key = LAMBDA("1")},
                               {.id = 2, .key = LAMBDA("2")},
                               {.id = 3, .key = "work"}};
  const struct hp_point n[] = {{.id = 11, .key = LAMBDA("2")},
                               {.id = 13, .key = "works"}};
  (void)state;
  check(o, 3, n, 2, "1-0 2-11 3-0 0-13 ");
}

static void types_and_depths_are_apart(void **state) {
  const struct hp_point o[] = {point(1, at_10, 2, "A"),
                               point(2, at_10, 2, "B")};
  const struct hp_point n[] = {point(11, at_10, 2, "B"),
                               point(12, at_10, 1, "A")};
  (void)state;
  check(o, 2, n, 2, "2-11 0-12 1-0 ");
}

static void bare_frames_pair_by_module_and_address(void **state) {
  const struct hp_point o[] = {point(1, bare_a, 1, NULL)};
  const struct hp_point n[] = {point(11, bare_b, 1, NULL)};
  const struct hp_point other[] = {point(11, bare_c, 1, NULL)};
  (void)state;
  check(o, 1, n, 1, "1-11 ");
  check(o, 1, other, 1, "1-0 0-11 ");
}

static void nothing_is_no_pair(void **state) {
  const struct hp_point o[] = {point(1, NULL, 0, NULL)};
  (void)state;
  check(NULL, 0, NULL, 0, "");
  check(o, 1, NULL, 0, "1-0 ");
  check(NULL, 0, o, 1, "0-1 ");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_lines_pair_first),
      cmocka_unit_test(moved_lines_pair_in_order),
      cmocka_unit_test(equal_numbers_outweigh_lines),
      cmocka_unit_test(lines_count_from_the_function),
      cmocka_unit_test(what_the_compiler_adds_may_differ),
      cmocka_unit_test(renamed_functions_pair),
      cmocka_unit_test(renamed_types_pair),
      cmocka_unit_test(unknown_types_pair),
      cmocka_unit_test(what_has_no_lines_pairs),
      cmocka_unit_test(what_has_no_names_pairs),
      cmocka_unit_test(groups_pair_by_their_keys),
      cmocka_unit_test(types_and_depths_are_apart),
      cmocka_unit_test(bare_frames_pair_by_module_and_address),
      cmocka_unit_test(nothing_is_no_pair),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
