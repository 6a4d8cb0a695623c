/* test_dump.c - the library reads what the runtime writes of a process, each field.
   Expectations stand beside the input, never computed by the writer.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "writer_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hook_abi.h"
#include "system/clock.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* ---- header ---------------------------------------------------------------- */

static void test_header(void **state) {
  (void)state;
  static const char arguments[] = "app\0--flag\0\0caf\xe9 au lait";
  hp_double.arguments = arguments;
  hp_double.arguments_size = sizeof arguments;
  hp_double.executable = "/opt/some where/app";
  hp_double.environment[0][0] = "SLURM_PROCID";
  hp_double.environment[0][1] = "3";
  hp_double.environment[1][0] = "PMI_RANK";
  hp_double.environment[1][1] = "17";
  hp_double.ticks_per_second = 2999999999;
  hp_double.start_unix_ns = 1700000000123456789;
  hp_clock_period = 3000000;
  hp_options.exact_time = true;
  hp_options.max_allocation_size_mb = UINT64_MAX;
  hp_options.only_programs = "a,b";

  struct hp_dump *dump = hp_fixture_round_trip(NULL);
  const struct hp_dump_header *header = &dump->header;
  assert_string_equal(header->program, "/opt/some where/app");
  assert_int_equal(header->arg_count, 4);
  assert_string_equal(header->args[0], "app");
  assert_string_equal(header->args[1], "--flag");
  assert_string_equal(header->args[2], "");
  assert_string_equal(header->args[3], "caf\xe9 au lait");
  assert_int_equal(header->pid, 42);
  assert_int_equal(header->parent, 41);
  assert_string_equal(header->host, "host");
  assert_string_equal(header->rank, "17"); /* PMI before Slurm */
  assert_string_equal(header->clock, "monotonic");
  assert_int_equal(header->ticks_per_second, 2999999999);
  assert_int_equal(header->start_unix_ns, 1700000000123456789);
  assert_string_equal(header->producer, "heapprof " HEAPPROF_VERSION);
  assert_int_equal(atoi(header->pass), HP_ABI_VERSION);
  assert_int_equal(header->exact_time, 1);
  assert_int_equal(header->tick_period, 3000000);
  hp_dump_close(dump);
}

static void test_header_options(void **state) {
  (void)state;
  hp_options.max_allocation_size_mb = UINT64_MAX;
  hp_options.only_programs = "a,b";
  hp_options.tick_us = -5;
  struct hp_dump *dump = hp_fixture_round_trip(NULL);
  char directory[128];
  snprintf(directory, sizeof directory, "dump_dir=%s", hp_fixture_directory);
  const char *expected[] = {
      directory,           "dump_at_exit=1",
      "exact_time=0",      "tick_us=-5",
      "only_programs=a,b", "max_allocation_size_mb=18446744073709551615",
  };
  for (size_t i = 0; i < LENGTH(expected); i++) {
    bool found = false;
    for (size_t k = 0; k < dump->header.option_count; k++)
      found |= strcmp(dump->header.options[k], expected[i]) == 0;
    if (!found)
      print_error("%s\n", expected[i]);
    assert_true(found);
  }
  size_t options = 0;
#define HP_OPTION(type, name, value, text) options++;
#include "options/options.def"
  assert_int_equal(dump->header.option_count, options);
  hp_dump_close(dump);
}

static void test_header_of_a_process_nothing_is_known_of(void **state) {
  (void)state;
  hp_double.executable = NULL;
  hp_double.host = NULL;
  hp_fixture_write(NULL);
  struct hp_dump *dump = hp_fixture_read("heapprof.unknown.42");
  assert_string_equal(dump->header.program, "unknown");
  assert_null(dump->header.host);
  assert_null(dump->header.rank);
  assert_int_equal(dump->header.arg_count, 0);
  hp_dump_close(dump);
}

/* The zeros behind a title that is shorter than the arguments were are no words;
   what was empty from the start is one. */
static void expect_title(size_t own) {
  static const char arguments[] = "srv: 3\0\0\0\0";
  hp_double.arguments = arguments;
  hp_double.arguments_size = sizeof arguments;
  hp_double.empty_arguments = own;
  struct hp_dump *dump = hp_fixture_round_trip(NULL);
  assert_int_equal(dump->header.arg_count, 1 + own);
  assert_string_equal(dump->header.args[0], "srv: 3");
  hp_dump_close(dump);
}

static void test_header_title(void **state) {
  (void)state;
  expect_title(0);
}

static void test_header_title_and_empty(void **state) {
  (void)state;
  expect_title(1);
}

/* 200000 arguments of 9 bytes, as a shell's glob gives. */
static void test_header_many_arguments(void **state) {
  (void)state;
  enum { COUNT = 200000 };
  char *arguments = malloc(COUNT * 10 + 1);
  assert_non_null(arguments);
  for (unsigned i = 0; i < COUNT; i++)
    snprintf(arguments + 10 * i, 11, "arg%06u", i);
  hp_double.arguments = arguments;
  hp_double.arguments_size = COUNT * 10;
  struct hp_dump *dump = hp_fixture_round_trip(NULL);
  assert_int_equal(dump->header.arg_count, COUNT);
  assert_string_equal(dump->header.args[123456], "arg123456");
  hp_dump_close(dump);
  free(arguments);
}

/* ---- points ---------------------------------------------------------------- */

static void test_points(void **state) {
  (void)state;
  const uint64_t stack[] = {0x555500001234, 0x7fffffffffff, 1, UINT64_MAX, 0};
  hp_double_point(stack, LENGTH(stack), true, HP_ENTRY_NEW_ARRAY);
  hp_double_point(stack, 0, false, HP_ENTRY_UNKNOWN);
  hp_double_point(stack + 1, 2, false, HP_ENTRY_MALLOC);

  struct hp_dump *dump = hp_fixture_round_trip(NULL);
  const struct hp_dump_point *point = hp_fixture_point(dump, 1);
  assert_int_equal(dump->end.points, 3);
  assert_int_equal(point->stack_count, LENGTH(stack));
  assert_memory_equal(point->stack, stack, sizeof stack);
  assert_int_equal(point->truncated, 1);
  assert_int_equal(point->function, HP_ENTRY_NEW_ARRAY);
  assert_null(point->type);
  point = hp_fixture_point(dump, 2);
  assert_int_equal(point->stack_count, 0);
  assert_int_equal(point->truncated, 0);
  assert_int_equal(point->function, HP_ENTRY_UNKNOWN);
  point = hp_fixture_point(dump, 3);
  assert_int_equal(point->stack_count, 2);
  assert_memory_equal(point->stack, stack + 1, 2 * sizeof *stack);
  assert_int_equal(point->function, HP_ENTRY_MALLOC);
  hp_dump_close(dump);
}

static void test_points_100000(void **state) {
  (void)state;
  enum { COUNT = 100000, DEPTH = 30 };
  for (uint64_t i = 0; i < COUNT; i++) {
    uint64_t stack[DEPTH];
    for (uint64_t frame = 0; frame < DEPTH; frame++)
      stack[frame] = 0x400000 + i * (frame + 1) * 7919;
    hp_double_point(stack, 1 + i % DEPTH, false, HP_ENTRY_MALLOC);
  }
  struct hp_dump *dump = hp_fixture_round_trip(NULL);
  assert_int_equal(dump->point_count, COUNT + 1); /* the reader adds point 0 */
  for (uint64_t i = 0; i < COUNT; i++) {
    const struct hp_dump_point *point = &dump->points[i + 1];
    assert_int_equal(point->id, i + 1);
    assert_int_equal(point->stack_count, 1 + i % DEPTH);
    for (uint64_t frame = 0; frame < point->stack_count; frame++)
      assert_int_equal(point->stack[frame], 0x400000 + i * (frame + 1) * 7919);
  }
  hp_dump_close(dump);
}

/* ---- end ------------------------------------------------------------------- */

static void test_end(void **state) {
  (void)state;
  const struct hp_dump_totals totals = {
      .reason = "signal 9",
      .exit_status = 255,
      .end = 10007,
      .allocations = 1,
      .frees = 2,
      .failed_requests = 3,
      .failed_bytes = UINT64_MAX,
      .inherited_frees = 5,
      .invalid_frees = 6,
      .threads = 7,
      .peak_bytes = 8,
      .peak_chunks = 9,
      .peak_time = 4,
      .dropped_points = 11,
      .allocator_ticks = 12,
  };
  hp_clock_window_start = 10000;
  hp_double.tick_max = 13;
  struct hp_dump *dump = hp_fixture_round_trip(&totals);
  const struct hp_dump_end *end = &dump->end;
  assert_int_equal(end->end, 7);
  assert_string_equal(end->reason, "signal 9");
  assert_true(end->has_exit_status);
  assert_int_equal(end->exit_status, 255);
  assert_int_equal(end->allocations, 1);
  assert_int_equal(end->frees, 2);
  assert_int_equal(end->failed_requests, 3);
  assert_int_equal(end->failed_bytes, UINT64_MAX);
  assert_int_equal(end->inherited_frees, 5);
  assert_int_equal(end->invalid_frees, 6);
  assert_int_equal(end->threads, 7);
  assert_int_equal(end->peak_bytes, 8);
  assert_int_equal(end->peak_chunks, 9);
  assert_int_equal(end->peak_time, 4);
  assert_int_equal(end->tick_max, 13);
  assert_int_equal(end->points, 0);
  assert_int_equal(end->dropped_points, 11);
  assert_int_equal(end->dropped_chunks, 0);
  assert_int_equal(end->allocator_ticks, 12);
  hp_dump_close(dump);
}

static void test_end_without_exit_status(void **state) {
  (void)state;
  const struct hp_dump_totals totals = {.reason = "signal 6",
                                        .exit_status = -1};
  struct hp_dump *dump = hp_fixture_round_trip(&totals);
  assert_false(dump->end.has_exit_status);
  hp_dump_close(dump);
}

/* ---- checkpoints ----------------------------------------------------------- */

static void checkpoint(const struct hp_dump_totals *totals) {
  hp_dump_take(HP_DUMP_CHECKPOINT, totals, &hp_double_live_chunks);
  hp_dump_write_checkpoint();
}

/* Points that come later are appended; the load map is written anew. */
static void test_checkpoint(void **state) {
  (void)state;
  const struct hp_dump_totals totals = {
      .reason = "checkpoint", .exit_status = -1, .end = 100};
  struct hp_dump *dump;
  checkpoint(&totals); /* of no point yet */
  hp_double_point(NULL, 0, false, HP_ENTRY_MALLOC);
  checkpoint(&totals);
  dump = hp_fixture_read("heapprof.app.42");
  assert_false(dump->complete);
  assert_int_equal(dump->point_count, 2); /* and that without a stack */
  hp_dump_close(dump);
  hp_double_point(NULL, 0, false, HP_ENTRY_CALLOC);
  checkpoint(&totals);
  dump = hp_fixture_read("heapprof.app.42");
  assert_int_equal(dump->point_count, 3);
  hp_dump_close(dump);
  hp_double_point(NULL, 0, false, HP_ENTRY_NEW);
  dump = hp_fixture_round_trip(NULL);
  assert_int_equal(dump->point_count, 4);
  assert_int_equal(dump->end.points, 3);
  hp_dump_close(dump);
}

#define TEST(name)                                                             \
  cmocka_unit_test_setup_teardown(name, hp_fixture_begin, hp_fixture_end)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_header),
      TEST(test_header_options),
      TEST(test_header_of_a_process_nothing_is_known_of),
      TEST(test_header_title),
      TEST(test_header_title_and_empty),
      TEST(test_header_many_arguments),
      TEST(test_points),
      TEST(test_points_100000),
      TEST(test_end),
      TEST(test_end_without_exit_status),
      TEST(test_checkpoint),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
