/* test_members.c - accesses by their place in the chunk: groups, walks, ranges,
   records in arrays; which chunks are counted, and for how long.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/members.h"

#include "chunk/access.h"
#include "chunk/access_range.h"
#include "chunk/allocator.h"
#include "chunk/free_stack.h"
#include "chunk/member_table.h"
#include "heap/heap.h"
#include "hook_abi.h"
#include "options/options.h"
#include "system_double.h"
#include "thread/thread.h"

#include <string.h>

/* Two places: 4 bytes are read, 8 at 8 are written. */
static const uint32_t two[] = {2, 0, 0, 1, 1, 0, 4, 1, 0, 8, 8, 0, 1};
/* 2 bytes are read, once more each 16 bytes. */
static const uint32_t every16[] = {1, 16, 0, 1, 0, 0, 2, 1, 0};
/* 4 bytes are written, by two pairs of steps. */
static const uint32_t walked[] = {1, 0, 2, 0, 1, 0, 4, 0, 1};

static void begin(bool members) {
  hp_options.members = members;
  hp_options.exact_time = true;
  hp_members_start();
  hp_free_stacks_start();
}

static int start(void **state) {
  (void)state;
  double_start();
  return 0;
}

static struct hp_type_descriptor record = {
    .name = "record", .element_size = 24, .provenance = HP_PROVENANCE_ARGUMENT};

HP_NOINLINE static char *hold(size_t size, bool typed, enum hp_entry entry) {
  struct hp_request request = {
      .size = size, .entry = entry, .caller = HP_CALLER()};
  request.caller.type = typed ? &record : NULL;
  char *p = hp_allocate(&request);
  assert_non_null(p);
  return p;
}

HP_NOINLINE static void deallocate(void *p) {
  struct hp_caller caller = HP_CALLER();
  hp_deallocate(p, &caller);
  __asm__ volatile("" ::: "memory");
}

static uint32_t point_of(const char *p) {
  return hp_cold_of(hp_chunk_at(p))->point;
}

struct found {
  uint64_t offset, bytes, times, chunks, count;
  bool in_record;
};

/* That at OFFSET; the number of all. */
static void take(const struct hp_member_entry *entry, void *arg) {
  struct found *found = arg;
  found->count++;
  if (entry->key.offset != found->offset)
    return;
  found->bytes = entry->key.bytes;
  found->times += entry->times;
  found->chunks = entry->chunks;
  found->in_record = entry->key.kind & HP_MEMBER_IN_RECORD;
}

static struct found at(uint32_t point, uint64_t offset) {
  struct found found = {.offset = offset};
  const struct hp_member_point *of = hp_member_point(point, false);
  if (of)
    hp_member_each(of, take, &found);
  return found;
}

static uint32_t once(uint32_t reads, uint32_t writes) {
  return HP_SLOW_ACCESSES(16, reads, writes);
}

static void without_the_option_nothing_is_counted(void **state) {
  (void)state;
  begin(false);
  assert_int_equal(hp_members_of, 0);
  char *p = hold(24, true, HP_ENTRY_MALLOC);
  hp_access_range(p, 8, HP_ACCESS_WRITE);
  const uint32_t point = point_of(p);
  deallocate(p);
  assert_int_equal(at(point, 0).count, 0);
}

static void a_group_is_one_entry_of_each_place_it_begins_at(void **state) {
  (void)state;
  begin(true);
  char *p = hold(48, false, HP_ENTRY_MALLOC);
  const uint32_t point = point_of(p);
  for (int i = 0; i < 3; i++)
    hp_members_group(p, once(1, 1), two, 1);
  hp_members_group(p + 16, once(1, 1), two, 1);
  assert_int_equal(at(point, 0).times, 3);
  assert_int_equal(at(point, 0).chunks, 1);
  assert_int_equal(at(point, 16).times, 1);
  assert_int_equal(at(point, 0).count, 2);
  hp_members_group(p + 48, once(1, 1), two, 1); /* beyond it */
  hp_members_group(two, once(1, 1), two, 1);
  assert_int_equal(at(point, 0).count, 2);
  deallocate(p);
}

static void chunks_are_counted_once_each(void **state) {
  (void)state;
  begin(true);
  uint32_t point = 0;
  char *held[40];
  static volatile int one = 1;
  for (int i = 0; i < 40; i += one)
    held[i] = hold(24, true, HP_ENTRY_MALLOC);
  point = point_of(held[0]);
  for (int round = 0; round < 3; round++)
    for (int i = 0; i < 40; i++)
      hp_members_range(held[i], 4, HP_ACCESS_READ, 2);
  assert_int_equal(at(point, 0).times, 120);
  assert_int_equal(at(point, 0).chunks, 40);
  for (int i = 0; i < 40; i++)
    deallocate(held[i]);
  assert_int_equal(hp_member_point(point, false)->chunks, 40);
  assert_int_equal(hp_member_point(point, false)->accesses, 0);
}

static void an_array_of_records_is_one_record(void **state) {
  (void)state;
  begin(true);
  char *p = hold(24 * 10, true, HP_ENTRY_MALLOC);
  const uint32_t point = point_of(p);
  for (int i = 0; i < 10; i++)
    hp_members_group(p + 24 * i + 8, once(1, 1), two, 1);
  assert_int_equal(at(point, 8).times, 10);
  assert_true(at(point, 8).in_record);
  hp_members_range(p + 24 * 3 + 8, 100, HP_ACCESS_READ, 2);
  assert_int_equal(at(point, 0).bytes, 24); /* all of one, at least */
  assert_int_equal(at(point, 0).count, 2);
  deallocate(p);
}

static void a_number_ahead_of_records_is_left_out(void **state) {
  (void)state;
  begin(true);
  char *p = hold(8 + 24 * 4, true, HP_ENTRY_NEW_ARRAY);
  const uint32_t point = point_of(p);
  hp_members_range(p, 8, HP_ACCESS_WRITE, 2);
  assert_int_equal(at(point, 0).count, 0);
  hp_members_range(p + 8 + 24 * 3 + 16, 8, HP_ACCESS_WRITE, 2);
  assert_int_equal(at(point, 16).times, 1);
  deallocate(p);
  /* By malloc it is no number, and these are no records. */
  p = hold(8 + 24 * 4, true, HP_ENTRY_MALLOC);
  hp_members_range(p + 8 + 24 * 3 + 16, 8, HP_ACCESS_WRITE, 2);
  assert_int_equal(at(point_of(p), 96).times, 1);
  deallocate(p);
}

static void turns_behind_a_loop(void **state) {
  (void)state;
  begin(true);
  char *p = hold(24 * 100, true, HP_ENTRY_MALLOC);
  const uint32_t point = point_of(p);
  hp_members_many(p + 2, 90, 0, every16, 1); /* 2, 18, 10, 2, ... */
  assert_int_equal(at(point, 2).times, 30);
  assert_int_equal(at(point, 18).times, 30);
  assert_int_equal(at(point, 10).times, 30);
  assert_int_equal(at(point, 0).count, 3);
  deallocate(p);
}

static void steps_of_nested_loops(void **state) {
  (void)state;
  begin(true);
  char *p = hold(24 * 100, true, HP_ENTRY_MALLOC);
  const uint64_t rows[] = {4, 5, 24, 100};
  hp_members_loop(p + 4, walked, rows, 1);
  const uint32_t point = point_of(p);
  for (uint64_t i = 0; i < 5; i++)
    assert_int_equal(at(point, 4 + 4 * i).times, 100);
  assert_int_equal(at(point, 0).count, 5);
  deallocate(p);
  /* Without a record a long walk is one entry, a short one its places. */
  p = hold(2400, false, HP_ENTRY_MALLOC);
  const uint64_t lines[] = {4, 100, 400, 3};
  hp_members_loop(p, walked, lines, 1);
  const uint32_t other = point_of(p);
  assert_int_equal(at(other, 400).times, 100);
  assert_int_equal(at(other, 400).bytes, 396);
  assert_int_equal(at(other, 0).count, 3);
  const uint64_t none[] = {4, 0, 400, 3};
  hp_members_loop(p, walked, none, 1);
  assert_int_equal(at(other, 0).times, 100);
  deallocate(p);
}

static void ranges_of_libc_are_counted(void **state) {
  (void)state;
  begin(true);
  char *p = hold(40, false, HP_ENTRY_MALLOC);
  hp_access_range(p + 4, 100, HP_ACCESS_WRITE); /* as far as it reaches */
  const uint32_t point = point_of(p);
  assert_int_equal(at(point, 4).times, 1);
  assert_int_equal(at(point, 4).bytes, 36);
  deallocate(p);
  assert_int_equal(hp_member_point(point, false)->accesses, 1);
}

static void chunks_that_are_not_exact_are_not_counted(void **state) {
  (void)state;
  begin(true);
  char *p = hold(24, true, HP_ENTRY_MALLOC);
  hp_chunk_at(p)->thread &= (uint16_t)~HP_THREAD_EXACT;
  hp_members_range(p, 4, HP_ACCESS_READ, 2);
  hp_members_group(p, once(1, 1), two, 1);
  assert_int_equal(at(point_of(p), 0).count, 0);
  deallocate(p);
}

static void heavy_chunks_are_let_go_earlier_and_earlier(void **state) {
  (void)state;
  begin(true);
  char *p = hold(24, true, HP_ENTRY_MALLOC);
  const struct hp_chunk *chunk = hp_chunk_at(p);
  struct hp_chunk by = {.lo = 1};
  by.reads_guard = HP_MEMBERS_ACCESSES - 1;
  assert_false(hp_members_are_enough(chunk, &by));
  by.reads_guard = HP_MEMBERS_ACCESSES;
  for (unsigned i = 0; i < HP_MEMBERS_HEAVY; i++)
    assert_true(hp_members_are_enough(chunk, &by));
  by.reads_guard = HP_MEMBERS_ACCESSES / 2;
  assert_true(hp_members_are_enough(chunk, &by));
  by.reads_guard--;
  assert_false(hp_members_are_enough(chunk, &by));
  deallocate(p);
}

static void chunks_of_others_that_are_written_go_later(void **state) {
  (void)state;
  begin(true);
  char *p = hold(24, true, HP_ENTRY_MALLOC);
  const struct hp_chunk *chunk = hp_chunk_at(p);
  struct hp_chunk share = {.lo = 1};
  const uint64_t most = HP_MEMBERS_ACCESSES << HP_MEMBERS_SHARED;
  share.thread_writes = (most / 4) * HP_ONE_WRITE;
  share.reads_guard = most - most / 4 - 1;
  assert_false(hp_members_are_enough(chunk, &share));
  share.reads_guard++;
  for (unsigned i = 0; i < HP_MEMBERS_HEAVY * 20; i++)
    assert_true(hp_members_are_enough(chunk, &share));
  share.thread_writes = HP_ONE_WRITE * 100;
  share.reads_guard = (HP_MEMBERS_ACCESSES >> HP_MEMBERS_HALVES) - 100;
  assert_true(hp_members_are_enough(chunk, &share)); /* as few in the end */
  deallocate(p);
  begin(true);
  p = hold(24, true, HP_ENTRY_MALLOC);
  share.reads_guard = HP_MEMBERS_ACCESSES; /* it is read */
  assert_true(hp_members_are_enough(hp_chunk_at(p), &share));
  deallocate(p);
}

static void what_finds_no_room_is_in_no_entry(void **state) {
  (void)state;
  begin(true);
  char *p = hold(60000, false, HP_ENTRY_MALLOC);
  for (int i = 0; i < 60000; i++)
    hp_members_range(p + i, 1, HP_ACCESS_READ, 2);
  assert_int_equal(at(point_of(p), 0).count, 2048);
  deallocate(p);
}

static void points_are_told_apart(void **state) {
  (void)state;
  begin(true);
  struct hp_member_key key = {.pc = 2, .bytes = 1, .kind = HP_ACCESS_READ};
  for (uint32_t point = 1; point < 64; point++)
    for (key.bytes = 1; key.bytes < 64; key.bytes++)
      hp_member_count(hp_member_point(point, true), &key, point, 1);
  for (uint32_t point = 1; point < 64; point++) {
    const struct found found = at(point, 0);
    assert_int_equal(found.count, 63);
    assert_int_equal(found.times, 63);
    assert_int_equal(found.chunks, 1);
  }
}

static void a_window_begins_empty(void **state) {
  (void)state;
  begin(true);
  char *p = hold(24, true, HP_ENTRY_MALLOC);
  const uint32_t point = point_of(p);
  hp_members_range(p, 4, HP_ACCESS_READ, 2);
  assert_int_equal(at(point, 0).times, 1);
  hp_members_start();
  assert_int_equal(at(point, 0).count, 0);
  deallocate(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(without_the_option_nothing_is_counted),
      cmocka_unit_test(a_group_is_one_entry_of_each_place_it_begins_at),
      cmocka_unit_test(chunks_are_counted_once_each),
      cmocka_unit_test(an_array_of_records_is_one_record),
      cmocka_unit_test(a_number_ahead_of_records_is_left_out),
      cmocka_unit_test(turns_behind_a_loop),
      cmocka_unit_test(steps_of_nested_loops),
      cmocka_unit_test(ranges_of_libc_are_counted),
      cmocka_unit_test(chunks_that_are_not_exact_are_not_counted),
      cmocka_unit_test(heavy_chunks_are_let_go_earlier_and_earlier),
      cmocka_unit_test(chunks_of_others_that_are_written_go_later),
      cmocka_unit_test(what_finds_no_room_is_in_no_entry),
      cmocka_unit_test(points_are_told_apart),
      cmocka_unit_test(a_window_begins_empty),
  };
  return cmocka_run_group_tests(tests, start, NULL);
}
