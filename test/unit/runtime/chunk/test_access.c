/* test_access.c - what one access leaves in a chunk record.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/access.h"
#include "chunk/access_range.h"
#include "chunk/allocator.h"
#include "heap/owner.h"
#include "hook_abi.h"
#include "options/options.h"
#include "profile/collector.h"
#include "system/clock.h"
#include "system/memory.h"
#include "system_double.h"
#include "thread/thread.h"
#include "thread/thread_state.h"

#include <pthread.h>

/* The slot of the chunks made by hand below. */
static uintptr_t slot;
#define SLOT slot
#define LOW(offset) ((uint32_t)(SLOT + (offset)))
#define WORD hp_cold_of(chunk)->word

static void *allocate(size_t size) {
  struct hp_request request = {.size = size};
  return hp_allocate(&request);
}

static struct hp_chunk *record(uint64_t size) {
  if (!slot)
    slot = (uintptr_t)allocate(256);
  struct hp_chunk *chunk = hp_owner_of((void *)slot).chunk;
  const uint32_t thread = hp_thread_number();
  *chunk = (struct hp_chunk){.lo = UINT32_MAX,
                             .thread_writes = hp_thread_tag(thread),
                             .reads_guard = (uint64_t)0xabcd << HP_COUNT_BITS};
  *hp_cold_of(chunk) = (struct hp_cold){
      .t0 = hp_clock_now(), .word = HP_RECORD_LIVE | size, .thread = thread};
  hp_access_not_last_byte = ~(uintptr_t)(SLOT + size - 1);
  return chunk;
}

static void counts_and_interval(void **state) {
  (void)state;
  struct hp_chunk *chunk = record(100);
  hp_access(chunk, SLOT + 40, 8, HP_ACCESS_WRITE, 0);
  hp_access(chunk, SLOT + 16, 4, HP_ACCESS_READ, 0);
  hp_access(chunk, SLOT + 20, 4, HP_ACCESS_BOTH, 0);
  assert_int_equal(hp_chunk_reads(chunk), 2);
  assert_int_equal(hp_chunk_writes(chunk), 2);
  assert_int_equal(chunk->lo, LOW(16));
  assert_int_equal(chunk->hi, LOW(47));
  assert_int_equal(WORD, HP_RECORD_LIVE | 100);
}

static void beyond_the_size(void **state) {
  (void)state;
  struct hp_chunk *chunk = record(10);
  hp_access(chunk, SLOT + 8, 8, HP_ACCESS_READ, 0); /* ends at 16 */
  assert_int_equal(chunk->lo, LOW(8));
  assert_int_equal(chunk->hi, LOW(9));
  assert_true(WORD & HP_RECORD_OVERRUN);
  chunk = record(10);
  hp_access(chunk, SLOT + 12, 4, HP_ACCESS_READ, 0); /* wholly beyond */
  assert_int_equal(chunk->lo, UINT32_MAX);
  assert_int_equal(chunk->hi, 0);
  assert_int_equal(hp_chunk_reads(chunk), 1);
  assert_true(WORD & HP_RECORD_OVERRUN);
}

/* Growing is the short way: it must leave alone what the long one does. */
static void an_access_beyond_the_size_is_the_first(void **state) {
  (void)state;
  struct hp_chunk *chunk = record(10);
  hp_access(chunk, SLOT + 12, 4, HP_ACCESS_READ, 0);
  uint64_t first = hp_cold_of(chunk)->first;
  hp_access(chunk, SLOT, 4, HP_ACCESS_WRITE, 0);
  assert_true(first != 0 && hp_cold_of(chunk)->first == first);
  assert_int_equal(chunk->lo, LOW(0));
  assert_int_equal(chunk->hi, LOW(3));
}

static void an_interval_grows_at_both_ends(void **state) {
  (void)state;
  struct hp_chunk *chunk = record(100);
  hp_access(chunk, SLOT + 50, 1, HP_ACCESS_WRITE, 0);
  uint64_t first = hp_cold_of(chunk)->first;
  hp_clock_coarse = first + 1000;
  hp_access(chunk, SLOT + 40, 30, HP_ACCESS_WRITE, 0);
  assert_int_equal(chunk->lo, LOW(40));
  assert_int_equal(chunk->hi, LOW(69));
  assert_int_equal(hp_chunk_writes(chunk), 2);
  assert_true(hp_cold_of(chunk)->first == first && chunk->last == first + 1000);
  hp_access(chunk, SLOT + 99, 2, HP_ACCESS_BOTH, 0);
  assert_int_equal(chunk->hi, LOW(99));
  assert_true(WORD & HP_RECORD_OVERRUN);
}

static bool extends(struct hp_chunk *chunk, uintptr_t p, uint32_t size) {
  return hp_access_extends(chunk, hp_owner_mask((void *)p), p, size);
}

/* Only what goes on in a chunk that this thread has, within its size. */
static void what_goes_on_is_known(void **state) {
  (void)state;
  struct hp_chunk *chunk = record(100);
  assert_false(extends(chunk, SLOT, 4)); /* the first */
  hp_access(chunk, SLOT + 8, 4, HP_ACCESS_WRITE, 0);
  struct hp_chunk before = *chunk;
  assert_false(extends(chunk, SLOT + 4, 8));  /* ahead */
  assert_false(extends(chunk, SLOT + 8, 4));  /* not longer */
  assert_false(extends(chunk, SLOT + 97, 4)); /* beyond */
  assert_memory_equal(chunk, &before, sizeof before);
  assert_true(extends(chunk, SLOT + 12, 4));
  assert_true(extends(chunk, SLOT + 96, 4));
  assert_int_equal(chunk->lo, LOW(8));
  assert_int_equal(chunk->hi, LOW(99));
}

/* The chunk whose end is known was freed, and another thread may have its slot. */
static void what_goes_on_is_of_this_thread_s_chunk(void **state) {
  (void)state;
  struct hp_chunk *chunk = record(100);
  hp_access(chunk, SLOT, 4, HP_ACCESS_WRITE, 0);
  chunk->lo = UINT32_MAX; /* hp_retire() */
  chunk->hi = 0;
  assert_false(extends(chunk, SLOT + 4, 4));
  chunk->lo = LOW(0);
  chunk->hi = LOW(3);
  chunk->thread++;
  assert_false(extends(chunk, SLOT + 4, 4));
  chunk->thread = (uint16_t)(chunk->thread - 1) | HP_THREAD_EXACT;
  assert_false(extends(chunk, SLOT + 4, 4));
  chunk->thread &= (uint16_t)~HP_THREAD_EXACT;
  char *other = allocate(100);
  assert_false(extends(chunk, SLOT + 4, 4));
  assert_int_equal(~hp_access_not_last_byte, (uintptr_t)other + 99);
  hp_access(chunk, SLOT + 4, 4, HP_ACCESS_WRITE, 0); /* known from here on */
  assert_true(extends(chunk, SLOT + 8, 4));
  assert_int_equal(chunk->hi, LOW(11));
}

static void zero_size(void **state) {
  (void)state;
  struct hp_chunk *chunk = record(0);
  hp_access(chunk, SLOT, 1, HP_ACCESS_WRITE, 0);
  assert_int_equal(chunk->hi, 0);
  assert_int_equal(hp_chunk_writes(chunk), 1);
}

/* Neither counter reaches what it shares its word with. */
static void counts_leave_their_neighbours_alone(void **state) {
  (void)state;
  struct hp_chunk *chunk = record(8);
  const uint16_t thread = chunk->thread, guard = chunk->guard;
  uint64_t sum = 0;
  static const uint64_t steps[] = {1,           HP_STEP_MAX,   HP_STEP_MAX + 1,
                                   0x7fffffff,  0x80000000,    0xffffffff,
                                   0x100000000, 0x123456789abc};
  for (size_t i = 0; i < 3 * sizeof steps / sizeof steps[0]; i++) {
    uint64_t step = steps[i % (sizeof steps / sizeof steps[0])];
    hp_access_many(chunk, SLOT, 8, step, step, 0);
    sum += step;
    assert_true(hp_chunk_reads(chunk) == sum);
    assert_true(hp_chunk_writes(chunk) == sum);
    assert_int_equal(chunk->thread, thread);
    assert_int_equal(chunk->guard, guard);
  }
  hp_access_many(chunk, SLOT, 8, UINT64_MAX, UINT64_MAX, 0);
  hp_access(chunk, SLOT, 8, HP_ACCESS_BOTH, 0);
  assert_int_equal(chunk->thread, thread);
  assert_int_equal(chunk->guard, guard);
}

static void counters_saturate(void **state) {
  (void)state;
  struct hp_chunk *chunk = record(8);
  const uint64_t many = (uint64_t)1 << 46;
  hp_access_many(chunk, SLOT, 8, UINT64_MAX, many, 0);
  assert_true(hp_chunk_reads(chunk) == UINT64_MAX);
  assert_true(hp_chunk_writes(chunk) == many);
  hp_access_many(chunk, SLOT, 8, 1, many, 0);
  assert_true(hp_chunk_reads(chunk) == UINT64_MAX);
  assert_true(hp_chunk_writes(chunk) == UINT64_MAX);
}

static void a_chunk_that_is_not_live_is_left_alone(void **state) {
  (void)state;
  struct hp_chunk *chunk = record(8);
  WORD = 0;
  struct hp_chunk before = *chunk;
  struct hp_cold cold = *hp_cold_of(chunk);
  hp_access(chunk, SLOT, 8, HP_ACCESS_BOTH, 0);
  assert_memory_equal(chunk, &before, sizeof before);
  assert_memory_equal(hp_cold_of(chunk), &cold, sizeof cold);
}

static void times(void **state) {
  (void)state;
  struct hp_chunk *chunk = record(8);
  hp_clock_coarse = hp_cold_of(chunk)->t0;
  hp_access(chunk, SLOT, 8, HP_ACCESS_READ, 0);
  uint64_t first = hp_cold_of(chunk)->first;
  assert_true(first > hp_cold_of(chunk)->t0); /* the first access is exact */
  assert_true(chunk->last == first);
  hp_access(chunk, SLOT, 8, HP_ACCESS_READ, 0);
  assert_true(chunk->last == hp_clock_coarse); /* behind: the log mends it */
  hp_clock_coarse = first + 1000;
  hp_access(chunk, SLOT, 8, HP_ACCESS_READ, 0);
  assert_true(chunk->last == first + 1000);
  assert_true(hp_cold_of(chunk)->first == first);
}

/* Steps the coarse clock behind the last access, wherever that was read: the
   counters of two processors may differ by a little. */
static void coarse_clock_goes_on(const struct hp_chunk *chunk) {
  hp_clock_coarse = chunk->last + 1;
}

static void exact_times(void **state) {
  (void)state;
  struct hp_chunk *chunk = record(8);
  WORD |= HP_RECORD_EXACT;
  chunk->thread |= HP_THREAD_EXACT;
  hp_clock_coarse = hp_clock_now();
  hp_access(chunk, SLOT, 8, HP_ACCESS_READ, 0);
  uint64_t last = chunk->last;
  hp_access(chunk, SLOT, 8, HP_ACCESS_READ, 0);
  assert_true(chunk->last > last);
  /* Old enough that the coarse clock will do, which is seen when it steps. */
  hp_cold_of(chunk)->t0 -= 33 * hp_clock_period;
  hp_access(chunk, SLOT, 8, HP_ACCESS_READ, 0);
  assert_true(WORD & HP_RECORD_EXACT);
  coarse_clock_goes_on(chunk);
  hp_access(chunk, SLOT, 8, HP_ACCESS_READ, 0);
  assert_false(WORD & HP_RECORD_EXACT);
  assert_int_equal(chunk->thread, hp_thread_tag(hp_thread_number()));
  assert_true(WORD & HP_RECORD_AGED);
}

/* Whether a chunk, CHOSEN or not, is exact still after COUNT accesses and one
   more, when it is so many PERIODS old. */
static bool is_exact_after(bool chosen, uint64_t count, uint64_t periods) {
  struct hp_chunk *chunk = record(8);
  const uint64_t period = hp_clock_period;
  hp_clock_period = (uint64_t)1 << 33; /* seconds: no test waits that long */
  WORD |= HP_RECORD_EXACT;
  chunk->thread |= HP_THREAD_EXACT;
  hp_access_many(chunk, SLOT, 8, count / 2, count - count / 2, 0);
  uint64_t *t0 = &hp_cold_of(chunk)->t0;
  *t0 -= periods * hp_clock_period;
  while (hp_access_is_chosen(*t0) != chosen)
    --*t0;
  coarse_clock_goes_on(chunk);
  hp_access(chunk, SLOT, 8, HP_ACCESS_READ, 0);
  hp_clock_period = period;
  assert_int_equal(!(WORD & HP_RECORD_EXACT), !!(WORD & HP_RECORD_AGED));
  return WORD & HP_RECORD_EXACT;
}

/* One that is accessed often is old earlier. */
static void busy_times(void **state) {
  (void)state;
  assert_true(is_exact_after(true, 1000000, 7));
  assert_true(is_exact_after(true, 16383, 9));
  assert_false(is_exact_after(true, 16384, 9));
  assert_true(is_exact_after(true, 16383, 31));
  assert_false(is_exact_after(true, 100, 33));
  /* If it does not speak for others, even earlier. */
  assert_true(is_exact_after(false, 1000000, 1));
  assert_true(is_exact_after(false, 5460, 3));
  assert_false(is_exact_after(false, 5461, 3));
  assert_true(is_exact_after(false, 1819, 9));
  assert_false(is_exact_after(false, 1820, 9));
  assert_true(is_exact_after(false, 100, 31));
  assert_false(is_exact_after(false, 100, 33));
}

/* One in 32, whatever the distance of the beginnings. */
static void chosen_evenly(void **state) {
  (void)state;
  for (uint64_t distance = 1; distance < 4000; distance += 7) {
    unsigned chosen = 0;
    for (uint64_t i = 0; i < 32000; i++)
      chosen += hp_access_is_chosen(123456789 + i * distance);
    assert_in_range(chosen, 850, 1150); /* five standard deviations */
  }
}

/* One that is accessed often need not read the clock each time. */
static void skipped_times(void **state) {
  (void)state;
  struct hp_chunk *chunk = record(8);
  WORD |= HP_RECORD_EXACT;
  chunk->thread |= HP_THREAD_EXACT;
  const uint64_t period = hp_clock_period;
  hp_clock_period = (uint64_t)1 << 33; /* seconds: no test waits that long */
  hp_clock_coarse = hp_clock_now();
  hp_access_many(chunk, SLOT, 8, 200, 55, 0);
  uint64_t last = chunk->last;
  hp_access(chunk, SLOT, 8, HP_ACCESS_READ, 0); /* the 256th */
  assert_true(chunk->last > last);
  last = chunk->last;
  hp_access(chunk, SLOT, 8, HP_ACCESS_READ, 0); /* one in two from here */
  assert_true(chunk->last == last);
  hp_access(chunk, SLOT, 8, HP_ACCESS_BOTH, 0);
  assert_true(chunk->last > last);
  last = chunk->last;
  /* Always if the coarse clock has gone on, behind an event of this thread, or
     for what was counted before. */
  coarse_clock_goes_on(chunk);
  hp_access(chunk, SLOT, 8, HP_ACCESS_READ, 0);
  assert_true(chunk->last > last);
  last = chunk->last;
  hp_thread_get()->last_event = hp_clock_now();
  hp_access(chunk, SLOT, 8, HP_ACCESS_READ, 0);
  assert_true(chunk->last > last);
  last = chunk->last;
  hp_access_many(chunk, SLOT, 0, 0, 0, 0);
  assert_true(chunk->last > last);
  hp_access(chunk, SLOT, 8, HP_ACCESS_READ, 0);
  assert_int_equal(hp_chunk_reads(chunk), 206);
  assert_int_equal(hp_chunk_writes(chunk), 56);
  /* And with exact_time. */
  last = chunk->last;
  hp_options.exact_time = true;
  hp_access(chunk, SLOT, 8, HP_ACCESS_WRITE, 0);
  hp_access(chunk, SLOT, 8, HP_ACCESS_WRITE, 0);
  hp_options.exact_time = false;
  assert_true(chunk->last > last);
  hp_clock_period = period;
}

/* What the log says of the chunk at P, which ends here. */
static struct hp_chunk_log end(void *p) {
  struct hp_caller caller = {1, 0, 0, NULL};
  hp_deallocate(p, &caller);
  hp_collect_all();
  return double_log[double_log_count - 1];
}

static void *read_8(void *p) {
  hp_access_range(p, 8, HP_ACCESS_READ);
  return NULL;
}

static void run_in_thread(void *(*body)(void *), void *arg) {
  pthread_t thread;
  pthread_create(&thread, NULL, body, arg);
  pthread_join(thread, NULL);
}

static void another_thread(void **state) {
  (void)state;
  char *p = allocate(100);
  run_in_thread(read_8, p + 16);
  hp_access_range(p + 50, 4, HP_ACCESS_WRITE);
  struct hp_chunk_log chunk = end(p);
  assert_true(chunk.flags & HP_CHUNK_MULTITHREAD);
  assert_int_equal(chunk.reads, 1);
  assert_int_equal(chunk.writes, 1);
  assert_int_equal(chunk.lo, 16);
  assert_int_equal(chunk.hi, 54);
  assert_true(chunk.t0 < chunk.first && chunk.first < chunk.last);
  /* The next chunk in that slot knows nothing of it. */
  char *q = allocate(100);
  assert_ptr_equal(p, q);
  hp_access_range(q, 1, HP_ACCESS_READ);
  chunk = end(q);
  assert_false(chunk.flags & HP_CHUNK_MULTITHREAD);
  assert_int_equal(chunk.reads, 1);
  assert_int_equal(chunk.hi, 1);
}

/* Of CHUNK, in the area that was given out as the NUMBER-th. */
static const struct hp_chunk *share(const struct hp_chunk *chunk,
                                    unsigned number) {
  return hp_share_in(HP_AREAS_BASE + number * HP_RECORDS_DISTANCE,
                     (uintptr_t)chunk);
}

/* The only one; not NULL. */
static const struct hp_chunk *only_share(const struct hp_chunk *chunk) {
  uint64_t areas = hp_others_of(chunk)->areas;
  const struct hp_chunk *only = hp_share_next(chunk, &areas);
  assert_non_null(only);
  assert_null(hp_share_next(chunk, &areas));
  return only;
}

/* Twice, so that it finds its record claimed. */
static void *read_twice(void *p) {
  read_8(p);
  return read_8(p);
}

/* In this test no thread leaves its area to another. */
static void each_thread_has_a_share(void **state) {
  (void)state;
  char *p = allocate(100);
  const struct hp_chunk *chunk = hp_owner_of(p).chunk;
  run_in_thread(read_twice, p + 16);
  const struct hp_chunk *first = only_share(chunk);
  assert_int_equal(hp_chunk_reads(first), 2);
  assert_int_equal(first->lo, (uint32_t)(uintptr_t)p + 16);
  assert_int_equal(first->hi, (uint32_t)(uintptr_t)p + 23);
  assert_true(hp_others_of(chunk)->first > hp_cold_of(chunk)->t0);
  run_in_thread(read_twice, p + 64);
  run_in_thread(read_8, p);
  uint64_t areas = hp_others_of(chunk)->areas, reads = 0;
  assert_int_equal(__builtin_popcountll(areas), 3);
  for (const struct hp_chunk *its; (its = hp_share_next(chunk, &areas));)
    reads += hp_chunk_reads(its);
  assert_int_equal(reads, 5);
  assert_int_equal(hp_chunk_reads(chunk), 0);
  assert_false(WORD & HP_RECORD_CROWD);
  struct hp_chunk_log ended = end(p);
  assert_int_equal(ended.reads, 5);
  assert_int_equal(ended.lo, 0);
  assert_int_equal(ended.hi, 72);
  static const struct hp_chunk nothing;
  assert_memory_equal(first, &nothing, sizeof nothing);
  assert_memory_equal(hp_others_of(chunk), &nothing, sizeof nothing);
}

static void *read_and_end(void *p) {
  read_8(p);
  hp_thread_end();
  return NULL;
}

static void a_thread_goes_on_with_the_area_of_one_that_ended(void **state) {
  (void)state;
  char *p = allocate(100);
  run_in_thread(read_and_end, p);
  run_in_thread(read_and_end, p);
  assert_int_equal(hp_chunk_reads(only_share(hp_owner_of(p).chunk)), 2);
  assert_int_equal(end(p).reads, 2);
}

/* Areas grow with the heap, whatever was given out first. */
static void *read_all(void *chunks) {
  for (char **p = chunks; *p; p++)
    read_8(*p);
  return NULL;
}

static void an_area_is_there_for_every_slot(void **state) {
  (void)state;
  enum { SLOTS = 3 << 20 >> 5, LARGE = 4 }; /* of 3 MiB of records */
  static char *chunks[SLOTS + LARGE + 1];
  char *early[] = {allocate(8), NULL};
  run_in_thread(read_all, early);
  for (int i = 0; i < SLOTS; i++)
    chunks[i] = allocate(8);
  for (int i = 0; i < LARGE; i++)
    chunks[SLOTS + i] = allocate((size_t)100000 << 4 * i);
  run_in_thread(read_all, chunks);
  struct hp_caller caller = {1, 0, 0, NULL};
  for (int i = 0; i < SLOTS + LARGE; i++) {
    assert_int_equal(hp_chunk_reads(only_share(hp_owner_of(chunks[i]).chunk)),
                     1);
    hp_deallocate(chunks[i], &caller);
  }
  hp_deallocate(early[0], &caller);
}

/* Of eight bytes each, to both sides; one more beyond the chunk. */
static void *write_more(void *p) {
  for (int i = 0; i < 4; i++)
    hp_access_range((char *)p + 40 + 8 * i, 8, HP_ACCESS_WRITE);
  hp_access_range((char *)p + 32, 8, HP_ACCESS_WRITE);
  hp_access_range((char *)p + 96, 8, HP_ACCESS_WRITE);
  return NULL;
}

static void the_interval_of_a_share_grows(void **state) {
  (void)state;
  char *p = allocate(100);
  const struct hp_chunk *chunk = hp_owner_of(p).chunk;
  hp_access_range(p + 8, 1, HP_ACCESS_READ);
  run_in_thread(write_more, p);
  const struct hp_chunk *its = only_share(chunk);
  assert_int_equal(hp_chunk_writes(its), 6);
  assert_int_equal(its->lo, (uint32_t)(uintptr_t)p + 32);
  assert_int_equal(its->hi, (uint32_t)(uintptr_t)p + 99);
  assert_true(hp_others_of(chunk)->first >= hp_cold_of(chunk)->first);
  assert_int_equal(hp_chunk_reads(chunk), 1);
  assert_int_equal(chunk->hi, (uint32_t)(uintptr_t)p + 8);
  assert_true(WORD & HP_RECORD_OVERRUN);
  struct hp_chunk_log ended = end(p);
  assert_int_equal(ended.writes, 6);
  assert_int_equal(ended.lo, 8);
  assert_int_equal(ended.hi, 100);
}

/* As a signal's handler finds it that comes while its thread is claiming. */
static void a_share_that_is_being_claimed_is_not_used(void **state) {
  (void)state;
  char *p = allocate(100);
  struct hp_chunk *chunk = hp_owner_of(p).chunk;
  hp_others_of(chunk)->areas = ~(uint64_t)0 >> (64 - HP_SHARE_AREAS);
  run_in_thread(read_twice, p);
  assert_true(WORD & HP_RECORD_CROWD);
  assert_int_equal(hp_crowd_of(chunk)->reads, 2);
  hp_others_of(chunk)->areas = 0;
  struct hp_chunk_log ended = end(p);
  assert_int_equal(ended.reads, 2);
  assert_int_equal(ended.hi, 8);
  assert_true(ended.first);
}

/* Threads that have no name of their own in a record: a chunk of one of them,
   which a second and a third access. */
static void *as_late_thread(void *p) {
  while (hp_thread_new_number() < HP_THREAD_LATE)
    ;
  char **shared_by = p;
  if (!*shared_by)
    *shared_by = allocate(100);
  hp_access_range(*shared_by, 8, HP_ACCESS_WRITE);
  return read_twice(*shared_by);
}

static void late_threads_are_told_apart(void **state) {
  (void)state;
  char *p = NULL;
  for (int i = 0; i < 3; i++)
    run_in_thread(as_late_thread, &p);
  const struct hp_chunk *chunk = hp_owner_of(p).chunk;
  assert_int_equal(hp_chunk_reads(chunk), 2);
  assert_int_equal(hp_chunk_tag(chunk), HP_THREAD_LATE);
  assert_int_equal(__builtin_popcountll(hp_others_of(chunk)->areas), 2);
  const uint32_t owner = hp_cold_of(chunk)->thread;
  assert_true(owner >= HP_THREAD_LATE);
  struct hp_chunk_log ended = end(p);
  assert_int_equal(ended.thread, owner);
  assert_int_equal(ended.reads, 6);
  assert_int_equal(ended.writes, 3);
  assert_true(ended.flags & HP_CHUNK_MULTITHREAD);
  assert_false(ended.flags & HP_CHUNK_OVERRUN);
}

/* Last: areas are used up, and the program has a mapping where the last is. */
static void threads_without_an_area_share_a_record(void **state) {
  (void)state;
  const unsigned last = HP_SHARE_AREAS - 2;
  const uintptr_t taken = HP_AREAS_BASE + (last + 1) * HP_RECORDS_DISTANCE;
  assert_true(hp_sys_reserve_at((void *)taken, 4096));
  char *p = allocate(100);
  const struct hp_chunk *chunk = hp_owner_of(p).chunk;
  for (unsigned i = 0; i < HP_SHARE_AREAS + 2; i++)
    run_in_thread(read_twice, p + i);
  const uint64_t areas = hp_others_of(chunk)->areas;
  const unsigned shares = (unsigned)__builtin_popcountll(areas);
  assert_true(areas >> last == 1);
  assert_int_equal(hp_chunk_reads(share(chunk, last)), 2);
  assert_true(WORD & HP_RECORD_CROWD);
  assert_int_equal(hp_crowd_of(chunk)->reads,
                   2 * (HP_SHARE_AREAS + 2 - shares));
  struct hp_chunk_log ended = end(p);
  assert_int_equal(ended.reads, 2 * (HP_SHARE_AREAS + 2));
  assert_int_equal(ended.lo, 0);
  assert_int_equal(ended.hi, HP_SHARE_AREAS + 1 + 8);
  assert_int_equal(hp_crowd_of(chunk)->reads, 0);
}

enum { THREADS = 4, ACCESSES = 200000 };
static char *shared;

static void *hammer(void *arg) {
  for (int i = 0; i < ACCESSES; i++)
    hp_access_range(shared + (uintptr_t)arg, 1, HP_ACCESS_BOTH);
  return NULL;
}

static void counts_are_exact_in_many_threads(void **state) {
  (void)state;
  shared = allocate(100);
  pthread_t thread[THREADS];
  for (uintptr_t i = 0; i < THREADS; i++)
    pthread_create(&thread[i], NULL, hammer, (void *)(10 + i));
  hammer((void *)50);
  for (int i = 0; i < THREADS; i++)
    pthread_join(thread[i], NULL);
  struct hp_chunk_log chunk = end(shared);
  assert_int_equal(chunk.reads, (THREADS + 1) * ACCESSES);
  assert_int_equal(chunk.writes, (THREADS + 1) * ACCESSES);
  assert_int_equal(chunk.lo, 10);
  assert_int_equal(chunk.hi, 51);
  assert_true(chunk.flags & HP_CHUNK_MULTITHREAD);
}

static int start(void **state) {
  (void)state;
  double_start();
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counts_and_interval),
      cmocka_unit_test(beyond_the_size),
      cmocka_unit_test(an_access_beyond_the_size_is_the_first),
      cmocka_unit_test(an_interval_grows_at_both_ends),
      cmocka_unit_test(what_goes_on_is_known),
      cmocka_unit_test(what_goes_on_is_of_this_thread_s_chunk),
      cmocka_unit_test(zero_size),
      cmocka_unit_test(counts_leave_their_neighbours_alone),
      cmocka_unit_test(counters_saturate),
      cmocka_unit_test(a_chunk_that_is_not_live_is_left_alone),
      cmocka_unit_test(times),
      cmocka_unit_test(exact_times),
      cmocka_unit_test(busy_times),
      cmocka_unit_test(chosen_evenly),
      cmocka_unit_test(skipped_times),
      cmocka_unit_test(another_thread),
      cmocka_unit_test(each_thread_has_a_share),
      cmocka_unit_test(a_thread_goes_on_with_the_area_of_one_that_ended),
      cmocka_unit_test(an_area_is_there_for_every_slot),
      cmocka_unit_test(the_interval_of_a_share_grows),
      cmocka_unit_test(a_share_that_is_being_claimed_is_not_used),
      cmocka_unit_test(counts_are_exact_in_many_threads),
      cmocka_unit_test(late_threads_are_told_apart),
      cmocka_unit_test(threads_without_an_area_share_a_record),
  };
  return cmocka_run_group_tests(tests, start, NULL);
}
