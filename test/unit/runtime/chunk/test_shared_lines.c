/* test_shared_lines.c - who writes where in a line: turns, what is common, what makes a
   line, and what is none.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/shared_lines.h"

#include "system_double.h"
#include "thread/thread_state.h"

#include <string.h>

enum { OWNER = 1, LIFE = 77, POINT = 5 };

static int start(void **state) {
  (void)state;
  double_start();
  return 0;
}

static void begin(void) {
  hp_member_table_start();
  hp_shared_lines_start();
}

static struct hp_member_point *point(void) {
  return hp_member_point(POINT, true);
}

/* As THREAD, of the chunk that OWNER allocated. */
static void note(uint32_t thread, uint64_t offset, uint64_t bytes,
                 uint32_t reads, uint32_t writes) {
  const uint32_t own = hp_thread_self_number;
  hp_thread_self_number = thread;
  hp_shared_line_note(point(),
                      &(struct hp_line_use){.life = LIFE,
                                            .offset = offset,
                                            .bytes = bytes,
                                            .reads = reads,
                                            .writes = writes,
                                            .is_foreign = thread != OWNER});
  hp_thread_self_number = own;
}

struct found {
  struct hp_line_state lines[4];
  unsigned count;
};

static void take(const struct hp_line_state *line, void *arg) {
  struct found *found = arg;
  if (found->count < 4)
    found->lines[found->count] = *line;
  found->count++;
}

static struct found all(void) {
  struct found found = {.count = 0};
  hp_shared_line_each(point(), take, &found);
  return found;
}

static void two_threads_side_by_side(void **state) {
  (void)state;
  begin();
  for (int i = 0; i < 10; i++) {
    note(2, 64, 8, 1, 1);
    note(2, 64, 8, 1, 1);
    note(3, 72, 4, 0, 5);
  }
  const struct found found = all();
  assert_int_equal(found.count, 1);
  const struct hp_line_state *line = &found.lines[0];
  assert_int_equal(line->offset, 64);
  assert_int_equal(line->turns, 19);
  assert_int_equal(line->writers[0].thread, 2);
  assert_int_equal(line->writers[0].times, 20);
  assert_int_equal(line->writers[0].writes, 20);
  assert_int_equal(line->writers[0].common, 0);
  assert_int_equal(line->writers[0].bytes, 0xff);
  assert_int_equal(line->writers[1].thread, 3);
  assert_int_equal(line->writers[1].writes, 50);
  assert_int_equal(line->writers[1].bytes, 0xf00);
  assert_int_equal(line->writers[2].thread, 0);
}

/* Which its owner fills in before others come is no part. */
static void only_others_begin_a_line(void **state) {
  (void)state;
  begin();
  note(OWNER, 0, 8, 0, 1);
  note(2, 0, 8, 1, 0);
  assert_int_equal(point()->lines, 0);
  note(2, 16, 8, 0, 1);
  note(OWNER, 0, 8, 0, 1);
  const struct found found = all();
  assert_int_equal(found.count, 1);
  assert_int_equal(found.lines[0].turns, 1);
  assert_int_equal(found.lines[0].writers[1].writes, 1);
}

static void what_others_wrote_is_common(void **state) {
  (void)state;
  begin();
  note(2, 0, 8, 0, 1);
  note(3, 8, 8, 0, 1);
  note(3, 0, 8, 1, 0); /* reads it */
  note(3, 4, 2, 0, 1); /* writes it */
  note(4, 8, 8, 1, 0); /* is no writer */
  const struct found found = all();
  assert_int_equal(found.lines[0].writers[0].common, 0);
  assert_int_equal(found.lines[0].writers[1].common, 2);
  assert_int_equal(found.lines[0].writers[1].times, 2);
  assert_int_equal(found.lines[0].writers[2].thread, 0);
}

static void an_access_over_the_edge_is_in_two_lines(void **state) {
  (void)state;
  begin();
  note(2, 60, 8, 0, 1);
  note(3, 56, 2, 0, 1);
  note(3, 66, 2, 0, 1);
  const struct found found = all();
  assert_int_equal(found.count, 2);
  assert_int_equal(found.lines[0].offset, 64); /* the last one first */
  assert_int_equal(found.lines[0].writers[0].bytes, 0xf);
  assert_true(found.lines[1].writers[0].bytes == 0xfull << 60);
  assert_true(found.lines[1].writers[1].bytes == 3ull << 56);
}

static void whole_lines_and_nothing_are_not_noted(void **state) {
  (void)state;
  begin();
  note(2, 0, 64, 0, 1);
  note(2, 0, 0, 0, 1);
  assert_int_equal(point()->lines, 0);
}

static void a_line_of_one_writer_is_not_told(void **state) {
  (void)state;
  begin();
  note(2, 0, 8, 0, 1);
  note(2, 8, 8, 0, 1);
  assert_int_not_equal(point()->lines, 0);
  assert_int_equal(all().count, 0);
}

static void writers_beyond_eight_are_left_out(void **state) {
  (void)state;
  begin();
  for (uint32_t i = 0; i < 10; i++)
    note(2 + i, 4 * i, 4, 0, 1);
  const struct found found = all();
  assert_int_equal(found.lines[0].writers[7].thread, 9);
  assert_int_equal(found.lines[0].turns, 7);
}

static void no_point_takes_all_lines(void **state) {
  (void)state;
  begin();
  for (uint64_t i = 0; i < 1000; i++) {
    note(2, i * 64, 8, 0, 1);
    note(3, i * 64 + 8, 8, 0, 1);
  }
  assert_int_equal(all().count, 512);
  begin();
  assert_int_equal(all().count, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_threads_side_by_side),
      cmocka_unit_test(only_others_begin_a_line),
      cmocka_unit_test(what_others_wrote_is_common),
      cmocka_unit_test(an_access_over_the_edge_is_in_two_lines),
      cmocka_unit_test(whole_lines_and_nothing_are_not_noted),
      cmocka_unit_test(a_line_of_one_writer_is_not_told),
      cmocka_unit_test(writers_beyond_eight_are_left_out),
      cmocka_unit_test(no_point_takes_all_lines),
  };
  return cmocka_run_group_tests(tests, start, NULL);
}
