/* test_allocator.c - chunks begin, end and are resized; what the log says.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/access.h"
#include "chunk/access_range.h"
#include "chunk/allocator.h"
#include "chunk/allocator_totals.h"
#include "chunk/live_chunks.h"
#include "chunk/reallocate.h"
#include "heap/owner.h"
#include "hook_abi.h"
#include "options/options.h"
#include "profile/collector.h"
#include "system/clock.h"
#include "system_double.h"
#include "thread/thread.h"

#include <string.h>

HP_NOINLINE static void *allocate(size_t size, size_t alignment, bool zeroed) {
  struct hp_request request = {.size = size,
                               .alignment = alignment,
                               .zeroed = zeroed,
                               .entry = HP_ENTRY_MALLOC,
                               .caller = HP_CALLER()};
  return hp_allocate(&request);
}

HP_NOINLINE static void *reallocate(void *p, size_t size) {
  struct hp_request request = {
      .size = size, .entry = HP_ENTRY_REALLOC, .caller = HP_CALLER()};
  return hp_reallocate(p, &request);
}

HP_NOINLINE static void deallocate(void *p) {
  struct hp_caller caller = HP_CALLER();
  hp_deallocate(p, &caller);
  __asm__ volatile("" ::: "memory");
}

static const struct hp_chunk_log *newest(void) {
  hp_collect_all();
  return &double_log[(double_log_count - 1) % DOUBLE_LOG];
}

static size_t log_count(void) {
  hp_collect_all();
  return double_log_count;
}

static struct hp_dump_totals totals(void) {
  struct hp_dump_totals t = {0};
  hp_collect_all();
  hp_allocator_totals(&t);
  hp_collector_totals(&t);
  return t;
}

static void a_life(void **state) {
  (void)state;
  char *p = allocate(40, 0, false);
  hp_access_range(p + 8, 16, HP_ACCESS_WRITE);
  deallocate(p);
  const struct hp_chunk_log *log = newest();
  assert_int_equal(log->size, 40);
  assert_int_equal(log->writes, 1);
  assert_int_equal(log->reads, 0);
  assert_int_equal(log->lo, 8);
  assert_int_equal(log->hi, 24);
  assert_true(log->t0 < log->first && log->first <= log->last &&
              log->last < log->t1);
  assert_int_equal(log->flags, HP_CHUNK_EXACT);
  assert_true(log->point > 0 && log->free_pc && log->thread == 1 &&
              log->free_thread == 1);
}

static void never_accessed(void **state) {
  (void)state;
  deallocate(allocate(10, 0, true));
  assert_int_equal(newest()->lo, 0);
  assert_int_equal(newest()->hi, 0);
  assert_int_equal(newest()->first, 0);
  assert_true(newest()->flags & HP_CHUNK_ZEROED);
}

static void zeroed_memory(void **state) {
  (void)state;
  for (size_t size = 1; size < 300000; size = size * 3 + 1) {
    char *p = allocate(size, 0, false);
    memset(p, 0xff, size);
    deallocate(p);
    p = allocate(size, 0, true);
    for (size_t i = 0; i < size; i++)
      assert_int_equal(p[i], 0);
    deallocate(p);
  }
}

static void alignment_of_every_size(void **state) {
  (void)state;
  for (size_t alignment = 16; alignment <= (size_t)1 << 22; alignment *= 2)
    for (size_t size = 0; size < 200000; size = size * 7 + 1) {
      void *p = allocate(size, alignment, false);
      assert_non_null(p);
      assert_int_equal((uintptr_t)p % alignment, 0);
      assert_int_equal(hp_usable_size(p), size);
      deallocate(p);
    }
}

static void zero_size_requests_are_distinct(void **state) {
  (void)state;
  void *a = allocate(0, 0, false), *b = allocate(0, 0, false);
  assert_non_null(a);
  assert_ptr_not_equal(a, b);
  deallocate(a);
  deallocate(b);
}

static void realloc_in_place_ends_one_and_begins_another(void **state) {
  (void)state;
  char *p = allocate(20, 0, false);
  uint64_t begun = totals().allocations;
  assert_ptr_equal(reallocate(p, 30), p); /* both in a slot of 32 bytes */
  const struct hp_chunk_log old = *newest();
  assert_int_equal(old.size, 20);
  assert_true(old.flags & HP_CHUNK_REALLOC);
  assert_int_equal(old.reads, 1); /* the copy */
  assert_int_equal(old.hi, 20);
  assert_true(old.last == old.t1);
  deallocate(p);
  const struct hp_chunk_log *new = newest();
  assert_int_equal(new->size, 30);
  assert_int_equal(new->writes, 1);
  assert_int_equal(new->lo, 0);
  assert_int_equal(new->hi, 20);
  assert_true(new->t0 == old.t1 && new->thread == old.free_thread);
  assert_true(new->first == new->t0);
  assert_int_equal(totals().allocations, begun + 1);
}

static void realloc_moves_contents(void **state) {
  (void)state;
  static const size_t sizes[] = {1,     16,     17,     5000,    65536,
                                 65537, 131072, 131073, 1000000, 70000,
                                 66000, 200,    1};
  unsigned char *p = allocate(1, 0, false);
  p[0] = 0;
  size_t filled = 1;
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    p = reallocate(p, sizes[i]);
    assert_non_null(p);
    size_t keep = filled < sizes[i] ? filled : sizes[i];
    for (size_t k = 0; k < keep; k++)
      assert_int_equal(p[k], k % 251);
    for (size_t k = keep; k < sizes[i]; k++)
      p[k] = (unsigned char)(k % 251);
    filled = sizes[i];
  }
  deallocate(p);
}

static void a_failed_realloc_changes_nothing(void **state) {
  (void)state;
  char *p = allocate(20, 0, false);
  strcpy(p, "still here");
  size_t logged = log_count();
  struct hp_dump_totals before = totals();
  assert_null(reallocate(p, (size_t)1 << 47));
  assert_int_equal(log_count(), logged);
  assert_string_equal(p, "still here");
  assert_int_equal(hp_usable_size(p), 20);
  struct hp_dump_totals after = totals();
  assert_int_equal(after.allocations, before.allocations);
  assert_int_equal(after.failed_requests, before.failed_requests + 1);
  assert_int_equal(after.failed_bytes,
                   before.failed_bytes + ((uint64_t)1 << 47));
  deallocate(p);
}

static void failed_bytes_saturate(void **state) {
  (void)state;
  assert_null(allocate(SIZE_MAX, 0, false));
  hp_count_failed(SIZE_MAX);
  assert_true(totals().failed_bytes == UINT64_MAX);
}

static void invalid_frees_are_reported_and_ignored(void **state) {
  (void)state;
  int local;
  char *p = allocate(64, 0, false);
  uint64_t before = totals().invalid_frees;
  size_t warnings = double_warnings;
  deallocate(&local);
  deallocate(p + 8); /* inside a chunk */
  deallocate((void *)(hp_heap_class_base(5) + ((uintptr_t)1 << 37)));
  deallocate((void *)HP_HEAP_BASE); /* where slots were never used, or cannot */
  assert_null(reallocate(&local, 10));
  deallocate(p);
  deallocate(p); /* twice */
  assert_int_equal(totals().invalid_frees, before + 6);
  assert_int_equal(double_warnings, warnings + 6);
  deallocate(NULL);
  assert_int_equal(totals().invalid_frees, before + 6);
}

static void peak(void **state) {
  (void)state;
  hp_allocator_start_window();
  hp_collector_start(true);
  void *a = allocate(1000, 0, false);
  void *b = allocate(500, 0, false);
  deallocate(a);
  a = allocate(1000, 0, false); /* equals the peak: the first time counts */
  uint64_t reached = totals().peak_time;
  deallocate(a);
  deallocate(b);
  assert_int_equal(totals().peak_bytes, 1500);
  assert_int_equal(totals().peak_chunks, 2);
  assert_true(reached == totals().peak_time);
  a = allocate(1400, 0, false);
  a = reallocate(a, 1450); /* never 2850 */
  assert_int_equal(totals().peak_bytes, 1500);
  deallocate(a);
}

static void more_than_4_gib(void **state) {
  (void)state;
  size_t size = ((size_t)5 << 30) + 3;
  char *p = allocate(size, 0, false);
  assert_non_null(p);
  size_t at = ((size_t)4 << 30) + 100;
  hp_access_range(p + at, 8, HP_ACCESS_WRITE);
  hp_access_range(p + at + 1000, 8, HP_ACCESS_READ);
  deallocate(p);
  assert_int_equal(newest()->size, size);
  assert_int_equal(newest()->lo, at);
  assert_int_equal(newest()->hi, at + 1008);
}

/* The low half of an address is not enough there, though it is of the size. */
static void a_chunk_that_crosses_4_gib(void **state) {
  (void)state;
  size_t size = UINT32_MAX - 4;
  char *p = allocate(size, 0, false);
  assert_non_null(p);
  hp_access_range(p + 100, 8, HP_ACCESS_WRITE);
  hp_access_range(p + size - 8, 8, HP_ACCESS_READ);
  deallocate(p);
  assert_int_equal(newest()->lo, 100);
  assert_int_equal(newest()->hi, size);
}

static void a_range_over_two_chunks(void **state) {
  (void)state;
  const size_t size = 65536 - HP_FRONT;
  char *p = allocate(size, 0, false), *q = allocate(size, 0, false);
  char *low = p < q ? p : q, *high = p < q ? q : p;
  assert_ptr_equal(low + 65536, high); /* fresh neighbours */
  hp_access_range(high - HP_FRONT - 6, HP_FRONT + 10, HP_ACCESS_READ);
  deallocate(low);
  assert_int_equal(newest()->lo, size - 6);
  assert_int_equal(newest()->hi, size);
  assert_int_equal(newest()->reads, 1);
  deallocate(high);
  assert_int_equal(newest()->lo, 0);
  assert_int_equal(newest()->hi, 4);
  assert_int_equal(newest()->reads, 1);
}

static size_t live_seen;
static void see_live(const struct hp_chunk_reference *live, void *arg) {
  struct hp_chunk_log chunk;
  assert_ptr_equal(arg, &live_seen);
  assert_true(hp_allocator_describe(live, &chunk));
  assert_int_equal(chunk.t0, live->t0); /* by both its end is found */
  assert_int_equal(chunk.thread, live->thread);
  live_seen += chunk.size;
}

static void live_at_the_end(void **state) {
  (void)state;
  void *small = allocate(123, 0, false), *large = allocate(1000000, 0, false);
  live_seen = 0;
  hp_allocator_each_live(hp_clock_now(), see_live, &live_seen);
  assert_int_equal(live_seen, 1000123);
  deallocate(small);
  deallocate(large);
  live_seen = 0;
  hp_allocator_each_live(hp_clock_now(), see_live, &live_seen);
  assert_int_equal(live_seen, 0);
}

/* In a forked child the window begins anew. */
static void chunks_from_before_the_window(void **state) {
  (void)state;
  void *p = allocate(100, 0, false), *q = allocate(50, 0, false);
  hp_events_forget(&hp_thread_self->events);
  hp_threads_after_fork_child();
  hp_allocator_start_window();
  hp_clock_start_window(hp_options.tick_us, hp_options.exact_time);
  hp_collector_start(true);
  size_t logged = log_count();
  deallocate(p);
  assert_int_equal(log_count(), logged);
  q = reallocate(q, 60);
  assert_int_equal(log_count(), logged);
  assert_int_equal(totals().inherited_frees, 2);
  assert_int_equal(totals().frees, 0);
  assert_int_equal(totals().allocations, 1);
  assert_int_equal(totals().peak_bytes, 60);
  deallocate(q);
  assert_int_equal(log_count(), logged + 1);
}

static int start(void **state) {
  (void)state;
  double_start();
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_life),
      cmocka_unit_test(never_accessed),
      cmocka_unit_test(zeroed_memory),
      cmocka_unit_test(alignment_of_every_size),
      cmocka_unit_test(zero_size_requests_are_distinct),
      cmocka_unit_test(realloc_in_place_ends_one_and_begins_another),
      cmocka_unit_test(realloc_moves_contents),
      cmocka_unit_test(a_failed_realloc_changes_nothing),
      cmocka_unit_test(failed_bytes_saturate),
      cmocka_unit_test(invalid_frees_are_reported_and_ignored),
      cmocka_unit_test(peak),
      cmocka_unit_test(more_than_4_gib),
      cmocka_unit_test(a_chunk_that_crosses_4_gib),
      cmocka_unit_test(a_range_over_two_chunks),
      cmocka_unit_test(live_at_the_end),
      cmocka_unit_test(chunks_from_before_the_window),
  };
  return cmocka_run_group_tests(tests, start, NULL);
}
