/* test_watch.c - what tells the use of a chunk from its teardown.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/watch.h"

#include "chunk/access.h"
#include "chunk/allocator.h"
#include "chunk/describe.h"
#include "chunk/point_table.h"
#include "heap/owner.h"
#include "origin/point.h"
#include "profile/collector.h"
#include "system/clock.h"
#include "system/memory.h"
#include "system/real_libc.h"
#include "system_double.h"
#include "thread/thread.h"

#define POINT 7u
#define LIFE 3200 /* periods of the coarse clock */

static uintptr_t slot;

/* An exact chunk of POINT that is old, and was first and last accessed when it was
   young. */
static struct hp_chunk *old_chunk(void) {
  if (!slot) {
    struct hp_request request = {.size = 256};
    slot = (uintptr_t)hp_allocate(&request);
  }
  struct hp_chunk *chunk = hp_owner_of((void *)slot).chunk;
  const uint32_t thread = hp_thread_number();
  const uint64_t t0 = hp_clock_now() - LIFE * hp_clock_period;
  *chunk = (struct hp_chunk){
      .lo = (uint32_t)slot,
      .hi = (uint32_t)slot + 63,
      .last = t0 + LIFE / 4 * hp_clock_period,
      .thread_writes = (hp_thread_tag(thread) | HP_THREAD_EXACT) + HP_ONE_WRITE,
      .reads_guard = (uint64_t)hp_guard_of(POINT) << HP_COUNT_BITS};
  struct hp_cold *cold = hp_cold_of(chunk);
  *cold = (struct hp_cold){.t0 = t0,
                           .first = t0,
                           .word = HP_RECORD_LIVE | HP_RECORD_EXACT | 64,
                           .point = POINT,
                           .thread = thread};
  hp_clock_window_start = 0;
  hp_clock_coarse = hp_clock_now();
  return chunk;
}

static void read_at(struct hp_chunk *chunk, uint64_t size, uintptr_t pc) {
  hp_access(chunk, slot, size, HP_ACCESS_READ, pc);
}

static int start(void **state) {
  (void)state;
  hp_watch_start();
  return 0;
}

static bool is_watched(const struct hp_chunk *chunk) {
  return chunk->thread == (HP_THREAD_LATE | HP_THREAD_EXACT);
}

static void a_few_reads_just_before_the_free(void **state) {
  (void)state;
  struct hp_chunk *chunk = old_chunk();
  read_at(chunk, 8, 0x1000);
  assert_true(is_watched(chunk));
  read_at(chunk, 4, 0x1000);
  read_at(chunk, 4, 0x2000);
  struct hp_chunk_log entry;
  assert_true(hp_describe(&entry, chunk, hp_cold_of(chunk)));
  assert_int_equal(entry.reads, 3);
  assert_true(entry.flags & HP_CHUNK_EXACT);
  hp_watch_free(chunk, hp_cold_of(chunk));
  const struct hp_teardown_sum sum = hp_teardown_of(POINT);
  assert_int_equal(sum.watched, 1);
  assert_int_equal(sum.freed, 1);
  assert_int_equal(sum.torn, 1);
  assert_int_equal(sum.late, 1);
  assert_int_equal(sum.unread, 1);
  assert_int_equal(sum.overflow, 0);
  assert_int_equal(sum.readers[0], 0x1000);
  assert_int_equal(sum.readers[1], 0x2000);
  assert_int_equal(sum.readers[2], 0);
  assert_true(sum.useful > HP_TEARDOWN_UNIT / 10 * 9);
  assert_true(sum.settled > HP_TEARDOWN_UNIT / 5);
  assert_true(sum.settled < HP_TEARDOWN_UNIT / 3);
}

/* COUNT reads of SIZE bytes, from as many places, if they have one. */
static uint64_t torn_by(uint64_t count, uint64_t size, bool apart,
                        uintptr_t pc) {
  struct hp_chunk *chunk = old_chunk();
  for (uint64_t i = 0; i < count; i++)
    read_at(chunk, size, pc + (apart ? i : 0));
  hp_watch_free(chunk, hp_cold_of(chunk));
  return hp_teardown_of(POINT).torn;
}

static void what_uses_it_does_not_take_it_down(void **state) {
  (void)state;
  assert_int_equal(torn_by(33, 8, false, 0x1000), 0);
  assert_int_equal(torn_by(9, 8, true, 0x1000), 0);
  assert_int_equal(torn_by(1, 8, false, 0), 0);
  assert_int_equal(torn_by(32, 64, false, 0x1000), 1);
  assert_int_equal(hp_teardown_of(POINT).freed, 4);
}

static void no_more_than_some_are_watched(void **state) {
  (void)state;
  unsigned watched = 0;
  for (unsigned i = 0; i < 8; i++) {
    struct hp_chunk *chunk = old_chunk();
    hp_cold_of(chunk)->t0 |= 1;
    while (hp_access_is_chosen(hp_cold_of(chunk)->t0))
      hp_cold_of(chunk)->t0 += 2;
    read_at(chunk, 8, 0x1000);
    watched += is_watched(chunk);
    assert_int_equal(is_watched(chunk), i < HP_WATCH_FIRST);
    hp_watch_free(chunk, hp_cold_of(chunk));
  }
  assert_int_equal(hp_teardown_of(POINT).watched, watched);
}

static void one_that_is_busy_is_let_go(void **state) {
  (void)state;
  struct hp_chunk *chunk = old_chunk();
  for (unsigned i = 0; i <= HP_WATCH_ACCESSES; i++)
    read_at(chunk, 8, 0x1000);
  assert_false(is_watched(chunk));
  assert_int_equal(chunk->thread, hp_thread_tag(hp_thread_number()));
  assert_true(hp_cold_of(chunk)->word & HP_RECORD_AGED);
  assert_int_equal(hp_chunk_reads(chunk), HP_WATCH_ACCESSES + 1);
  hp_watch_free(chunk, hp_cold_of(chunk));
  assert_int_equal(hp_teardown_of(POINT).watched, 1);
  assert_int_equal(hp_teardown_of(POINT).freed, 0);
}

static void a_record_that_was_written_over_is_told(void **state) {
  (void)state;
  struct hp_chunk *chunk = old_chunk();
  read_at(chunk, 8, 0x1000);
  chunk->guard ^= 1;
  struct hp_chunk_log entry;
  assert_false(hp_describe(&entry, chunk, hp_cold_of(chunk)));
  chunk->guard ^= 1;
  hp_watch_leave(chunk);
  assert_false(is_watched(chunk));
}

static int start_all(void **state) {
  (void)state;
  double_start();
  return 0;
}

/* One that found no room is refused from then on without a look at the table. */
static void points_that_find_no_room_are_not_looked_for_again(void **state) {
  (void)state;
  static struct hp_point_map map;
  enum { ENTRIES = 64, SIZE = 16 };
  for (uint32_t point = 1; point <= ENTRIES; point++)
    assert_non_null(hp_point_map_find(&map, SIZE, ENTRIES, point, true));
  const uint32_t late = ENTRIES + 1;
  assert_null(hp_point_map_find(&map, SIZE, ENTRIES, late, false));
  assert_null(hp_point_map_find(&map, SIZE, ENTRIES, late, true));
  /* There is no bit of these, and none of another one may be theirs. */
  for (uint32_t i = 0; i < 2 * ENTRIES; i++)
    assert_null(
        hp_point_map_find(&map, SIZE, ENTRIES, HP_POINT_REFUSALS + i, true));
  for (uint32_t point = 1; point <= ENTRIES; point++)
    assert_non_null(hp_point_map_find(&map, SIZE, ENTRIES, point, false));
  hp_real_memset(map.entries, 0, ENTRIES * sizeof(uint32_t)); /* the keys */
  assert_null(hp_point_map_find(&map, SIZE, ENTRIES, late, true));
  assert_non_null(hp_point_map_find(&map, SIZE, ENTRIES, late + 1, true));
  hp_real_memset(map.entries, 0, hp_point_map_size(SIZE, ENTRIES));
  assert_non_null(hp_point_map_find(&map, SIZE, ENTRIES, late, true));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(a_few_reads_just_before_the_free, start),
      cmocka_unit_test_setup(what_uses_it_does_not_take_it_down, start),
      cmocka_unit_test_setup(no_more_than_some_are_watched, start),
      cmocka_unit_test_setup(one_that_is_busy_is_let_go, start),
      cmocka_unit_test_setup(a_record_that_was_written_over_is_told, start),
      cmocka_unit_test(points_that_find_no_room_are_not_looked_for_again)};
  return cmocka_run_group_tests(tests, start_all, NULL);
}
