/* test_quick_chunk.c - the usual way through malloc and free tells what the other way tells, and leaves to it
   what is not usual.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/quick_chunk.h"

#include "chunk/access_range.h"
#include "chunk/allocator.h"
#include "chunk/sample.h"
#include "profile/collector.h"
#include "system_double.h"

#include <string.h>

static unsigned quick_begins, quick_ends;

/* From one place, whichever way is taken. */
HP_NOINLINE static char *allocate(bool quickly, size_t size, bool zeroed) {
  struct hp_request request = {.size = size,
                               .zeroed = zeroed,
                               .entry = HP_ENTRY_MALLOC,
                               .caller = HP_CALLER()};
  void *p = quickly ? hp_quick_allocate(&request) : NULL;
  quick_begins += p != NULL;
  return p ? p : hp_allocate(&request);
}

HP_NOINLINE static void deallocate(bool quickly, void *p) {
  struct hp_caller caller = HP_CALLER();
  bool done = quickly && hp_quick_deallocate(p, caller.pc, caller.bp, caller.sp,
                                             HP_ENDED_BY_DELETE);
  quick_ends += done;
  if (!done)
    hp_deallocate_deleted(p, &caller);
  __asm__ volatile("" ::: "memory");
}

static struct hp_chunk_log a_life(bool quickly, size_t size, bool zeroed) {
  char *p = allocate(quickly, size, zeroed);
  for (size_t i = 0; zeroed && i < size; i++)
    assert_int_equal(p[i], 0);
  memset(p, 0xff, size);
  assert_int_equal(hp_usable_size(p), size);
  if (size > 8) {
    hp_access_range(p + 3, size - 5, HP_ACCESS_WRITE);
    hp_access_range(p + 2, 4, HP_ACCESS_READ);
  }
  deallocate(quickly, p);
  hp_collect_all();
  return double_log[(double_log_count - 1) % DOUBLE_LOG];
}

static void assert_alike(const struct hp_chunk_log *a,
                         const struct hp_chunk_log *b) {
  const uint32_t by_chance = HP_CHUNK_EXACT | HP_CHUNK_AGED;
  assert_int_equal(a->size, b->size);
  assert_int_equal(a->lo, b->lo);
  assert_int_equal(a->hi, b->hi);
  assert_int_equal(a->reads, b->reads);
  assert_int_equal(a->writes, b->writes);
  assert_int_equal(a->point, b->point);
  assert_int_equal(a->thread, b->thread);
  assert_int_equal(a->free_thread, b->free_thread);
  assert_int_equal(a->weight, b->weight);
  assert_int_equal(a->flags & ~by_chance, b->flags & ~by_chance);
  assert_true(a->point && a->free_pc == b->free_pc);
  assert_true(!a->first == !b->first);
  assert_true(b->t0 < b->t1 && b->first <= b->last && b->last <= b->t1);
  assert_true(!b->free_stack || b->flags & HP_CHUNK_EXACT);
}

static void both_ways_tell_the_same(void **state) {
  (void)state;
  for (size_t size = 0; size < 80000; size += 1 + size / 9)
    for (int zeroed = 0; zeroed < 2; zeroed++) {
      struct hp_chunk_log logs[2];
      for (volatile int quickly = 0; quickly < 2; quickly++)
        logs[quickly] = a_life(quickly, size, zeroed);
      assert_alike(&logs[0], &logs[1]);
    }
  assert_true(quick_begins > 100 && quick_ends > 100);
}

/* Among the first chunks of a point all are exact, later one in 32; its free is looked at. */
static void exact_chunks(void **state) {
  (void)state;
  unsigned exact = 0, stacks = 0;
  for (volatile int i = 0; i < 640; i++) {
    const struct hp_chunk_log log = a_life(true, 24, false);
    exact += (log.flags & HP_CHUNK_EXACT) != 0;
    stacks += log.free_stack != 0;
    assert_true(i >= 64 || log.flags & HP_CHUNK_EXACT);
    assert_true(i >= 63 || log.free_stack);
  }
  assert_true(exact >= 64 && exact < 200);
  assert_true(stacks >= 63 && stacks <= exact);
}

/* One that was exact while it was young has a stack all the same. */
static void old_chunks(void **state) {
  (void)state;
  for (volatile int i = 0; i < 40; i++) {
    char *p = allocate(i % 4 < 2, 40, false);
    uint64_t *word = &hp_cold_of(hp_chunk_at(p))->word;
    assert_true(*word & HP_RECORD_EXACT);
    *word = (*word & ~HP_RECORD_EXACT) | HP_RECORD_AGED;
    hp_chunk_at(p)->thread &= (uint16_t)~HP_THREAD_EXACT;
    deallocate(i % 2 == 0, p);
    hp_collect_all();
    const struct hp_chunk_log *log =
        &double_log[(double_log_count - 1) % DOUBLE_LOG];
    assert_true(log->flags & HP_CHUNK_AGED);
    assert_true(log->free_stack);
  }
}

/* What took over from another chunk ends the usual way and says how; whether its
   stack is taken, too, is another matter. */
static void chains(void **state) {
  (void)state;
  const struct hp_chain_state before = {.first = 10,
                                        .bytes = 30,
                                        .copied = 12,
                                        .length = 3,
                                        .kind = HP_CHAIN_SEEN};
  const unsigned ends = quick_ends;
  unsigned stacks = 0;
  for (volatile int i = 0; i < 200; i++) {
    char *p = allocate(true, 100, false);
    hp_growth_link(hp_chunk_at(p), &before, 50, 40, HP_CHAIN_SEEN);
    deallocate(i % 2 == 0, p);
    hp_collect_all();
    const struct hp_chunk_log *log =
        &double_log[(double_log_count - 1) % DOUBLE_LOG];
    assert_true(log->flags & HP_CHUNK_GROWN);
    assert_int_equal(log->chain_length, 4);
    assert_int_equal(log->chain_first, 10);
    assert_int_equal(log->chain_bytes, 80);
    assert_int_equal(log->chain_copied, 52);
    assert_int_equal(log->copied, 40);
    assert_int_equal(log->chain_kind, HP_CHAIN_SEEN);
    assert_true(!log->free_stack || log->flags & HP_CHUNK_EXACT);
    stacks += log->free_stack != 0;
  }
  assert_true(quick_ends - ends > 90); /* but those that are timed */
  assert_true(stacks > 0 && stacks < 200);
}

/* Nothing is done then that the other way would do again. */
static void refuse(bool begins, bool ends) {
  const uint64_t entered = hp_thread_self->events.entered;
  const uint32_t begun = hp_thread_self->events.begins_reserved,
                 ended = hp_thread_self->events.ends_reserved;
  char *p = allocate(false, 24, false);
  const unsigned quick[] = {quick_begins, quick_ends};
  char *q = allocate(true, 24, false);
  deallocate(true, q);
  assert_int_equal(quick_begins == quick[0], begins);
  assert_int_equal(quick_ends == quick[1], ends);
  deallocate(false, p);
  assert_int_equal(hp_thread_self->events.begins_reserved, begun + 2);
  assert_int_equal(hp_thread_self->events.ends_reserved, ended + 2);
  assert_int_equal(hp_thread_self->events.entered, entered);
}

static void what_is_not_usual(void **state) {
  (void)state;
  a_life(true, 24, false);
  hp_thread_self->until_timed = 1000;
  refuse(false, false);
  hp_recording = false;
  hp_quick_look();
  assert_true(hp_gate.begins_slowly && !hp_gate.ends_slowly);
  hp_recording = true;
  hp_options.check_stacks = true;
  hp_quick_look();
  refuse(true, false);
  hp_options.check_stacks = false;
  hp_access_began_unhooked = true;
  hp_quick_look();
  refuse(false, true);
  hp_access_began_unhooked = false;
  hp_quick_look();
  refuse(false, false);
  hp_thread_self->events.entered = 1; /* as in a handler */
  refuse(true, true);
  hp_thread_self->events.entered = 0;
}

/* One of another thread's, one that was written over, and none. */
static void other_chunks(void **state) {
  (void)state;
  struct hp_caller caller = HP_CALLER();
  char *p = allocate(true, 24, false);
  struct hp_chunk *chunk = hp_chunk_at(p);
  struct hp_cold *cold = hp_cold_of(chunk);
  void *const wrong[] = {p + 16, p - 1, NULL, &caller, p + ((size_t)1 << 34)};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    assert_false(hp_quick_deallocate(wrong[i], 1, 2, 3, 0));
  cold->word |= HP_RECORD_MULTITHREAD;
  assert_false(hp_quick_deallocate(p, 1, 2, 3, 0));
  cold->word &= ~HP_RECORD_MULTITHREAD;
  chunk->guard ^= 2;
  assert_false(hp_quick_deallocate(p, 1, 2, 3, 0));
  chunk->guard ^= 2;
  chunk->lo = (uint32_t)(uintptr_t)p;
  chunk->hi = (uint32_t)(uintptr_t)p + 24;
  assert_false(hp_quick_deallocate(p, 1, 2, 3, 0));
  chunk->hi--;
  assert_int_equal(hp_thread_self->events.entered, 0);
  assert_true(hp_quick_deallocate(p, 1, 2, 3, 0));
  assert_false(hp_quick_deallocate(p, 1, 2, 3, 0));
}

static int start(void **state) {
  (void)state;
  double_start();
  hp_quick_start();
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(both_ways_tell_the_same),
      cmocka_unit_test(exact_chunks),
      cmocka_unit_test(old_chunks),
      cmocka_unit_test(chains),
      cmocka_unit_test(what_is_not_usual),
      cmocka_unit_test(other_chunks),
  };
  return cmocka_run_group_tests(tests, start, NULL);
}
