/* test_access_share.c - accesses of threads that did not allocate the chunk: records of
   their own, and one for all that have no room for that.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/access.h"
#include "chunk/access_range.h"
#include "chunk/allocator.h"
#include "heap/owner.h"
#include "profile/collector.h"
#include "system/memory.h"
#include "system_double.h"
#include "thread/thread.h"
#include "thread/thread_state.h"

#include <pthread.h>

#define WORD hp_cold_of(chunk)->word

static void *allocate(size_t size) {
  struct hp_request request = {.size = size};
  return hp_allocate(&request);
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
  return hp_share_in(hp_heap_area(number), (uintptr_t)chunk);
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
  const uintptr_t taken = hp_heap_area(last + 1);
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
