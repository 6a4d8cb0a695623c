/* test_member_sums.c - rows of places, written by hand, on members of a layout written by hand.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "query/member_sums.h"

static struct hp_store store;

/* struct { int a; union { int i; double d; }; struct { short x, y; } many[3]; char c; } */
static const struct hp_layout_member members[] = {
    {.name = "a", .offset = 0, .size = 4, .count = 1},
    {.name = "", .offset = 4, .size = 4, .count = 1, .kind = HP_LAYOUT_HOLE},
    {.name = "d", .offset = 8, .size = 8, .count = 1, .overlaps = true},
    {.name = "i", .offset = 8, .size = 4, .count = 1, .overlaps = true},
    {.name = "many[].x", .offset = 16, .size = 2, .count = 3, .stride = 4},
    {.name = "many[].y", .offset = 18, .size = 2, .count = 3, .stride = 4},
    {.name = "c", .offset = 28, .size = 1, .count = 1},
    {.name = "", .offset = 29, .size = 3, .count = 1, .kind = HP_LAYOUT_HOLE},
};
static const struct hp_layout layout = {
    .type = "T", .size = 32, .align = 8, .members = members, .count = 8};
enum { A, HOLE, D, I, X, Y, C };

static const struct hp_frame lines[] = {
    {.function = "f", .file = "f.c", .line = 1},
    {.function = "f", .file = "f.c", .line = 2},
    {.function = "f", .file = "f.c", .line = 3},
    {.function = "f", .file = "f.c", .line = 4},
    {.function = "f", .file = "f.c", .line = 1}};

static const struct hp_frame *frame_of(void *context, uint64_t code) {
  (void)context;
  return code <= 5 ? &lines[code - 1] : NULL;
}

static struct hp_member_type sum_of(const struct hp_layout *of,
                                    uint64_t element_size,
                                    const struct hp_member_access *rows,
                                    size_t count, uint64_t counted) {
  struct hp_member_sums sums = {
      .store = &store, .layout = of, .element_size = element_size};
  const struct hp_members all = {
      .rows = rows, .count = count, .chunks_counted = counted, .weight = 1};
  struct hp_member_type type = {0};
  assert_true(hp_member_sums_begin(&sums));
  assert_true(hp_member_sums_add(&sums, &all, frame_of, NULL));
  assert_true(hp_member_sums_finish(&sums, &type));
  hp_member_sums_free(&sums);
  return type;
}

static struct hp_member_type sum(const struct hp_member_access *rows,
                                 size_t count) {
  return sum_of(&layout, 32, rows, count, 10);
}
#define SUM(rows) sum(rows, sizeof(rows) / sizeof *(rows))

static void test_one_member(void **state) {
  const struct hp_member_access rows[] = {
      {.offset = 0, .size = 4, .reads = 3, .writes = 1, .chunks = 2, .code = 1},
      {.offset = 2, .size = 1, .reads = 1, .chunks = 4, .code = 2},
  };
  (void)state;
  const struct hp_member_type t = SUM(rows);
  const struct hp_member *a = &t.members[A];
  assert_int_equal(t.count, 8);
  assert_int_equal(t.chunks_counted, 10);
  assert_int_equal(a->reads, 4);
  assert_int_equal(a->writes, 1);
  assert_int_equal(a->bytes_accessed, 4 * 4 + 1);
  assert_int_equal(a->chunks, 4);
  assert_int_equal(a->chunks_most, 4); /* 6, but 2 wrote, and 4 had one */
  assert_true(a->share == 1);
  assert_int_equal(t.members[D].reads, 0);
  assert_ptr_equal(a->codes[0].frame, &lines[0]);
  assert_ptr_equal(a->codes[1].frame, &lines[1]);
  assert_null(a->codes[2].frame);
}

/* What is as large as one alternative is of that. */
static void test_union(void **state) {
  const struct hp_member_access rows[] = {
      {.offset = 8, .size = 4, .reads = 1},
      {.offset = 8, .size = 8, .reads = 10},
      {.offset = 8, .size = 2, .reads = 100},
      {.offset = 12, .size = 4, .reads = 1000},
  };
  (void)state;
  const struct hp_member_type t = SUM(rows);
  assert_int_equal(t.members[I].reads, 101);
  assert_int_equal(t.members[D].reads, 1110);
  assert_int_equal(t.members[I].chunks_most, UINT64_MAX); /* not known */
}

static void test_array_of_records(void **state) {
  const struct hp_member_access rows[] = {
      {.offset = 18, .size = 2, .writes = 1},  /* the first y */
      {.offset = 20, .size = 2, .writes = 10}, /* the middle x */
      {.offset = 26, .size = 2, .reads = 100}, /* the last y */
      {.offset = 16, .size = 12, .reads = 7},  /* all */
  };
  (void)state;
  const struct hp_member_type t = SUM(rows);
  assert_int_equal(t.members[X].writes, 10);
  assert_int_equal(t.members[X].reads, 7);
  assert_int_equal(t.members[Y].writes, 1);
  assert_int_equal(t.members[Y].reads, 107);
  assert_int_equal(t.members[X].bytes_accessed, 10 * 2 + 7 * 6);
  assert_int_equal(t.members[C].reads, 0);
}

/* A chunk of several records: which one does not matter.  Who counts puts them together,
   if it knows how large they are. */
static void test_behind_a_record(void **state) {
  const struct hp_member_access rows[] = {
      {.offset = 32, .size = 4, .reads = 1, .code = 1},
      {.offset = 90, .size = 8, .writes = 10},
  };
  (void)state;
  const struct hp_member_type t = SUM(rows);
  assert_int_equal(t.count, 9);
  assert_int_equal(t.members[A].reads, 0);
  assert_int_equal(t.members[8].kind, HP_MEMBER_BEHIND);
  assert_int_equal(t.members[8].reads, 1);
  assert_int_equal(t.members[8].writes, 10);
  assert_ptr_equal(t.members[8].codes[0].frame, &lines[0]);
}

static void test_later_records(void **state) {
  const struct hp_member_access rows[] = {
      {.offset = 64, .size = 4, .reads = 1},
      {.offset = 32 + 28, .size = 8, .reads = 10}, /* c, and a of the next */
      {.offset = 0, .size = 96, .writes = 1, .chunks = 10},
  };
  (void)state;
  const struct hp_member_type t = sum_of(&layout, 0, rows, 3, 10);
  assert_int_equal(t.count, 8);
  assert_int_equal(t.members[A].reads, 11);
  assert_int_equal(t.members[C].reads, 10);
  assert_int_equal(t.members[A].writes, 1);
  assert_int_equal(t.members[D].writes, 1);
}

/* It is made so, which is no use of a member; but a copy reads it. */
static void test_whole_records(void **state) {
  const struct hp_member_access rows[] = {
      {.offset = 0, .size = 32, .writes = 10, .chunks = 10, .code = 1},
      {.offset = 0, .size = 32, .reads = 2, .chunks = 1, .code = 2},
      {.offset = 0, .size = 4, .reads = 5, .chunks = 5, .code = 3},
  };
  (void)state;
  const struct hp_member_type t = SUM(rows);
  assert_int_equal(t.members[A].chunks, 5);
  assert_int_equal(t.members[A].chunks_most, 6);
  assert_int_equal(t.members[C].chunks_most, 1);
  assert_int_equal(t.members[C].writes, 10);
  assert_int_equal(t.members[C].reads, 2);
  assert_int_equal(t.members[C].whole_reads, 2);
  assert_int_equal(t.members[A].whole_reads, 2);
  assert_int_equal(t.members[HOLE].reads, 2);
  assert_true(t.members[A].share > 0.99 && t.members[A].share <= 1);
}

static void test_lines(void **state) {
  const struct hp_member_access rows[] = {
      {.offset = 0, .size = 4, .reads = 1, .code = 1},
      {.offset = 0, .size = 4, .reads = 20, .code = 2},
      {.offset = 0, .size = 4, .reads = 30, .code = 3},
      {.offset = 0, .size = 4, .reads = 40, .code = 4},
      {.offset = 0, .size = 4, .reads = 9, .code = 5}, /* line 1 again */
      {.offset = 0, .size = 4, .reads = 1, .code = 9},
  };
  (void)state;
  const struct hp_member_type t = SUM(rows);
  assert_int_equal(t.members[A].codes[0].frame->line, 4);
  assert_int_equal(t.members[A].codes[1].frame->line, 3);
  assert_int_equal(t.members[A].codes[2].frame->line, 2);
}

static void test_bursts(void **state) {
  const struct hp_member_access rows[] = {
      {.offset = 0, .size = 4, .reads = 5, .together = 1},
      {.offset = 28, .size = 1, .reads = 5, .together = 1},
      {.offset = 0, .size = 4, .reads = 50, .together = 2},
      {.offset = 8, .size = 8, .reads = 40, .together = 2},
      {.offset = 28, .size = 1, .writes = 2, .together = 3},
      {.offset = 0, .size = 4, .reads = 2, .together = 3},
      {.offset = 0, .size = 4, .reads = 900},
      {.offset = 0, .size = 4, .reads = 900, .together = 4}, /* alone */
  };
  (void)state;
  const struct hp_member_type t = SUM(rows);
  assert_int_equal(t.burst_count, 2);
  assert_int_equal(t.bursts[0].accesses, 50);
  assert_int_equal(t.bursts[0].members[0], A);
  assert_int_equal(t.bursts[0].members[1], D);
  assert_int_equal(t.bursts[1].accesses, 7);
  assert_int_equal(t.bursts[1].members[1], C);
}

static void test_flexible(void **state) {
  static const struct hp_layout_member open[] = {
      {.name = "n", .offset = 0, .size = 4, .count = 1},
      {.name = "items", .offset = 4, .count = 1, .is_flexible = true}};
  static const struct hp_layout flexible = {
      .type = "F", .size = 4, .align = 4, .members = open, .count = 2};
  const struct hp_member_access rows[] = {
      {.offset = 0, .size = 4, .reads = 1},
      {.offset = 40, .size = 2, .reads = 10},
      {.offset = 0, .size = 44, .writes = 1},
  };
  (void)state;
  const struct hp_member_type t = sum_of(&flexible, 4, rows, 3, 1);
  assert_int_equal(t.members[0].reads, 1);
  assert_int_equal(t.members[1].reads, 10);
  assert_int_equal(t.members[1].writes, 1);
  assert_int_equal(t.members[1].bytes_accessed, 10 * 2 + 40);
}

static void test_places(void **state) {
  const struct hp_member_access rows[] = {
      {.offset = 40, .size = 4, .reads = 1, .code = 1},
      {.offset = 8, .size = 4, .reads = 2, .chunks = 3},
      {.offset = 8, .size = 8, .writes = 4},
      {.offset = 0, .size = 1, .writes = 4},
  };
  (void)state;
  const struct hp_member_type t = sum_of(NULL, 32, rows, 4, 5);
  assert_int_equal(t.count, 3);
  assert_int_equal(t.members[0].offset, 0);
  assert_int_equal(t.members[1].offset, 8);
  assert_int_equal(t.members[1].size, 4);
  assert_int_equal(t.members[1].reads, 3);
  assert_null(t.members[1].name);
  assert_int_equal(t.members[1].kind, HP_MEMBER_PLACE);
  assert_int_equal(t.members[2].writes, 4);
}

static void test_nothing(void **state) {
  (void)state;
  struct hp_member_type t = sum_of(&layout, 32, NULL, 0, 0);
  assert_int_equal(t.count, 8);
  assert_true(t.members[A].share == HP_NULL_SCORE);
  t = sum_of(NULL, 0, NULL, 0, 0);
  assert_int_equal(t.count, 0);
}

static int forget(void **state) {
  (void)state;
  hp_store_free(&store);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_one_member),
      cmocka_unit_test(test_union),
      cmocka_unit_test(test_array_of_records),
      cmocka_unit_test(test_behind_a_record),
      cmocka_unit_test(test_later_records),
      cmocka_unit_test(test_whole_records),
      cmocka_unit_test(test_lines),
      cmocka_unit_test(test_bursts),
      cmocka_unit_test(test_flexible),
      cmocka_unit_test(test_places),
      cmocka_unit_test(test_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, forget);
}
