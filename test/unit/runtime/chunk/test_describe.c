/* test_describe.c - what a record says, whole, written over, or shared by threads.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/access.h"
#include "chunk/allocator.h"
#include "chunk/describe.h"
#include "system_double.h"

/* The chunk under test: 40 bytes, of which one access read [8, 12) and another
   wrote [16, 24). */
static struct hp_chunk *record;
static struct hp_cold *cold;
static char *start;

static int begin(void **state) {
  (void)state;
  const struct hp_request request = {.size = 40, .entry = HP_ENTRY_MALLOC};
  start = hp_allocate(&request);
  assert_non_null(start);
  record = hp_chunk_at(start);
  assert_non_null(record);
  cold = hp_cold_of(record);
  hp_access(record, (uintptr_t)start + 8, 4, HP_ACCESS_READ, 0);
  hp_access(record, (uintptr_t)start + 16, 8, HP_ACCESS_WRITE, 0);
  return 0;
}

static int end(void **state) {
  (void)state;
  const struct hp_caller caller = {0};
  hp_deallocate(start, &caller);
  return 0;
}

static void a_record_that_is_whole(void **state) {
  (void)state;
  struct hp_chunk_log entry = {0};
  assert_true(hp_describe(&entry, record, cold));
  assert_int_equal(entry.size, 40);
  assert_int_equal(entry.reads, 1);
  assert_int_equal(entry.writes, 1);
  assert_int_equal(entry.lo, 8);
  assert_int_equal(entry.hi, 24);
  assert_int_equal(entry.t0, cold->t0);
  assert_true(entry.first >= entry.t0 && entry.last >= entry.first);
  assert_false(entry.flags & (HP_CHUNK_OVERRUN | HP_CHUNK_MULTITHREAD));
}

/* Size and time are the allocator's and stay; accesses are forgotten, and the
   flag says that the program wrote there. */
static void expect_damage(void) {
  struct hp_chunk_log entry = {0};
  assert_false(hp_describe(&entry, record, cold));
  assert_int_equal(entry.size, 40);
  assert_int_equal(entry.t0, cold->t0);
  assert_int_equal(entry.reads, 0);
  assert_int_equal(entry.writes, 0);
  assert_int_equal(entry.first, 0);
  assert_int_equal(entry.last, 0);
  assert_int_equal(entry.hi, 0);
  assert_true(entry.flags & HP_CHUNK_OVERRUN);
}

static void a_record_that_was_written_over(void **state) {
  (void)state;
  const struct hp_chunk whole = *record;
  record->guard ^= 1;
  expect_damage();
  *record = whole;
  record->thread ^= 2;
  expect_damage();
  *record = whole;
  record->hi = record->lo + 41; /* beyond the chunk, by what it says itself */
  expect_damage();
  *record = whole;
  record->last = hp_clock_coarse + ((uint64_t)1 << 40); /* in hours */
  expect_damage();
  *record = whole;
  a_record_that_is_whole(state);
}

static void what_a_crowd_did_is_added_and_saturates(void **state) {
  (void)state;
  const uint64_t later = record->last + 1000, word = cold->word;
  struct hp_crowd *crowd = hp_crowd_of(record);
  cold->word |= HP_RECORD_CROWD;
  crowd->last = later;
  crowd->reads = 5;
  crowd->writes = UINT64_MAX;
  struct hp_chunk_log entry = {0};
  assert_true(hp_describe(&entry, record, cold));
  assert_int_equal(entry.reads, 6);
  assert_true(entry.writes == UINT64_MAX);
  assert_int_equal(entry.last, later);
  *crowd = (struct hp_crowd){0};
  cold->word = word;
}

static int start_runtime(void **state) {
  (void)state;
  double_start();
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(a_record_that_is_whole, begin, end),
      cmocka_unit_test_setup_teardown(a_record_that_was_written_over, begin,
                                      end),
      cmocka_unit_test_setup_teardown(what_a_crowd_did_is_added_and_saturates,
                                      begin, end),
  };
  return cmocka_run_group_tests(tests, start_runtime, NULL);
}
