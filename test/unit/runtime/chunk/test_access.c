/* test_access.c - what one access leaves in a chunk record.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/access.h"
#include "chunk/allocator.h"
#include "heap/owner.h"
#include "hook_abi.h"
#include "options/options.h"
#include "system/clock.h"
#include "system_double.h"
#include "thread/thread.h"
#include "thread/thread_state.h"

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
  };
  return cmocka_run_group_tests(tests, start, NULL);
}
