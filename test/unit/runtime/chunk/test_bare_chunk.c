/* test_bare_chunk.c - chunks of a process without hooks: what the log says of them,
   where they move, what libc does beyond them, and who takes over.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/bare_chunk.h"

#include "chunk/access_range.h"
#include "chunk/allocator.h"
#include "chunk/live_chunks.h"
#include "chunk/overrun.h"
#include "chunk/reallocate.h"
#include "profile/collector.h"
#include "system/clock.h"
#include "system/memory.h"
#include "system_double.h"
#include "thread/thread.h"

#include <string.h>

HP_NOINLINE static void *allocate(size_t size, bool zeroed) {
  struct hp_request request = {.size = size,
                               .zeroed = zeroed,
                               .entry = HP_ENTRY_MALLOC,
                               .caller = HP_CALLER()};
  return hp_bare_allocate(&request);
}

HP_NOINLINE static void *reallocate(void *p, size_t size) {
  struct hp_request request = {
      .size = size, .entry = HP_ENTRY_REALLOC, .caller = HP_CALLER()};
  return hp_bare_reallocate(p, &request);
}

HP_NOINLINE static void deallocate(void *p) {
  struct hp_caller caller = HP_CALLER();
  if (hp_bare_holds(p))
    hp_bare_deallocate(p, &caller, 0);
  else
    hp_deallocate(p, &caller);
  __asm__ volatile("" ::: "memory");
}

static const struct hp_chunk_log *newest(void) {
  hp_collect_all();
  return &double_log[(double_log_count - 1) % DOUBLE_LOG];
}

static void a_life(void **state) {
  (void)state;
  char *p = allocate(40, false);
  assert_true(hp_bare_holds(p));
  assert_false(hp_heap_holds(p)); /* no hook looks further */
  assert_int_equal((uintptr_t)p % 16, 0);
  assert_int_equal(hp_usable_size(p), 40);
  assert_int_equal(hp_usable_size(p + 1), 0);
  memset(p, 1, 40);
  hp_access_range(p, 40, HP_ACCESS_BOTH);
  deallocate(p);
  const struct hp_chunk_log *log = newest();
  assert_int_equal(log->size, 40);
  assert_int_equal(log->address, (uintptr_t)p);
  assert_true(log->point && log->thread && log->t1 > log->t0);
  assert_int_equal(log->weight, 1);
  assert_int_equal(log->flags & (HP_CHUNK_EXACT | HP_CHUNK_OVERRUN), 0);
  assert_int_equal(log->first | log->last | log->reads | log->writes, 0);
  assert_int_equal(log->lo | log->hi, 0);
  assert_int_equal(hp_usable_size(p), 0);
}

static void sizes(void **state) {
  (void)state;
  static char *all[HP_BARE_MAX + 1];
  for (size_t size = 0; size <= HP_BARE_MAX; size += size < 300 ? 1 : 97) {
    all[size] = allocate(size, false);
    memset(all[size], (int)size, size);
  }
  for (size_t size = 0; size <= HP_BARE_MAX; size++) {
    if (!all[size])
      continue;
    assert_int_equal(hp_bare_size(all[size]), size);
    for (size_t i = 0; i < size; i++)
      assert_int_equal((unsigned char)all[size][i], size & 255);
    deallocate(all[size]);
  }
  char *zeroed = allocate(100, true);
  for (size_t i = 0; i < 100; i++)
    assert_int_equal(zeroed[i], 0);
  deallocate(zeroed);
  assert_true(newest()->flags & HP_CHUNK_ZEROED);
}

static void what_is_for_others(void **state) {
  (void)state;
  assert_null(allocate(HP_BARE_MAX + 1, false));
  struct hp_request aligned = {
      .size = 40, .alignment = 64, .entry = HP_ENTRY_ALIGNED};
  assert_null(hp_bare_allocate(&aligned));
  const uint32_t small_max = hp_thread_get()->small_max;
  hp_thread_get()->small_max = 0; /* it may get a page of its own */
  assert_null(allocate(40, false));
  hp_thread_get()->small_max = small_max;
  hp_bare_is_on = false; /* a module with hooks was loaded */
  assert_null(allocate(40, false));
  hp_bare_is_on = true;
  double_commit_limit = 0;
  unsigned many = 0; /* those that are free go first */
  while (allocate(3000, false))
    assert_true(many++ < 1000);
  double_commit_limit = SIZE_MAX;
}

static void resized(void **state) {
  (void)state;
  char *p = allocate(50, false);
  memset(p, 5, 50);
  assert_ptr_equal(reallocate(p, 56), p); /* as large a slot */
  assert_true(newest()->flags & HP_CHUNK_REALLOC);
  assert_int_equal(newest()->size, 50);
  char *q = reallocate(p, 57);
  assert_ptr_not_equal(q, p);
  assert_true(hp_bare_holds(q));
  char *large = reallocate(q, HP_BARE_MAX + 1);
  assert_true(hp_heap_holds(large));
  for (int i = 0; i < 50; i++)
    assert_int_equal(large[i], 5);
  deallocate(large);
  const struct hp_chunk_log *log = newest();
  assert_true(log->flags & HP_CHUNK_GROWN);
  assert_int_equal(log->chain_length, 4);
  assert_int_equal(log->chain_kind, HP_CHAIN_SEEN);
  assert_int_equal(log->chain_first, 50);
  assert_int_equal(log->chain_bytes, 50 + 56 + 57);
}

/* The newest chunk of the log is A or B, of which each was freed once. */
static uint32_t kind_of(char *b) {
  deallocate(b);
  const struct hp_chunk_log *log = newest();
  return log->flags & HP_CHUNK_GROWN ? log->chain_kind + 1 : 0;
}

static void copied_into_a_larger_one(void **state) {
  (void)state;
  for (size_t size = 200; size <= 20000; size *= 100) { /* of both ranges */
    for (int turn = 0; turn < 5; turn++) {
      char *a = allocate(100, false), *b = allocate(size, false);
      if (!b)
        b = hp_allocate(&(struct hp_request){.size = size});
      hp_access_heap_copy(turn == 3 ? b + 1 : b, a, turn == 1 ? 50 : 100, 0);
      if (turn == 2)
        hp_access_range(a, 1, HP_ACCESS_READ);
      if (turn == 4)
        hp_access_range(a, 1, HP_ACCESS_WRITE);
      deallocate(a);
      const uint32_t kind = kind_of(b);
      if (turn == 0 || turn == 4)
        assert_int_equal(kind, HP_CHAIN_SEEN + 1);
      else if (turn == 2) /* it was read again */
        assert_int_equal(kind, HP_CHAIN_ALIKE + 1);
      else /* a part, or not to the beginning */
        assert_int_equal(kind, 0);
    }
  }
}

static void beyond_the_size(void **state) {
  (void)state;
  char *p = allocate(20, false);
  const uint32_t point = hp_bare_point_of(hp_bare_at(p)->word);
  hp_access_range(p, 20, HP_ACCESS_WRITE);
  assert_int_equal(hp_overrun_of(point).beyond, 0);
  hp_access_range(p + 16, 7, HP_ACCESS_WRITE);
  const struct hp_overrun_entry entry = hp_overrun_of(point);
  assert_int_equal(entry.beyond, 3);
  assert_int_equal(entry.flags, HP_OVERRUN_WRITTEN);
  deallocate(p);
  assert_true(newest()->flags & HP_CHUNK_OVERRUN);
}

/* Allocation points of their own, since overruns are of a point. */
HP_NOINLINE static void *allocate_source(size_t size) {
  void *p = allocate(size, false);
  __asm__ volatile("" ::: "memory");
  return p;
}

static uint64_t beyond_of(const char *p) {
  return hp_overrun_of(hp_bare_point_of(hp_bare_at(p)->word)).beyond;
}

/* However small, and wherever the other side lies. */
static void copied_beyond_the_size(void **state) {
  (void)state;
  static char elsewhere[64];
  char *from = allocate_source(20), *to = allocate(21, false);
  const uint64_t before = beyond_of(to);
  hp_access_heap_copy(to + 1, from, 20, 0);
  hp_access_heap_copy(elsewhere, from + 19, 1, 0);
  hp_access_heap_copy(to + 20, elsewhere, 1, 0);
  assert_int_equal(beyond_of(from), 0);
  assert_int_equal(beyond_of(to), before);
  hp_access_heap_copy(elsewhere, from + 18, 3, 0);
  assert_int_equal(beyond_of(from), 1);
  hp_access_heap_copy(to + 1, from + 18, 4, 0);
  assert_int_equal(beyond_of(from), 2);
  hp_access_heap_copy(to + 20, elsewhere, 40, 0);
  assert_int_equal(beyond_of(to), 39);
  hp_access_heap_copy(to + 5, from + 1, 60, 0);
  assert_int_equal(beyond_of(to), 44);
  deallocate(from);
  deallocate(to);
}

struct seen {
  const void *chunk;
  struct hp_chunk_log log;
  unsigned times;
};

static void look(const struct hp_chunk_reference *live, void *arg) {
  struct seen *seen = arg;
  if (live->chunk != seen->chunk)
    return;
  seen->times++;
  assert_true(hp_allocator_describe(live, &seen->log));
}

static void count(const struct hp_heap_region *region, void *arg) {
  struct seen *seen = arg;
  if ((uintptr_t)seen->chunk - region->begin < region->used) {
    assert_int_equal(((uintptr_t)seen->chunk - region->begin) % region->slot,
                     0);
    assert_true(region->chunks);
    seen->times++;
  }
}

static void seen_while_it_lives(void **state) {
  (void)state;
  char *p = allocate(77, false);
  struct seen seen = {.chunk = p};
  hp_allocator_each_live(UINT64_MAX, look, &seen);
  assert_int_equal(seen.times, 1);
  assert_int_equal(seen.log.size, 77);
  assert_int_equal(seen.log.address, (uintptr_t)p);
  hp_allocator_each_region(count, &seen);
  assert_int_equal(seen.times, 2);
  deallocate(p);
  hp_allocator_each_live(UINT64_MAX, look, &seen);
  assert_int_equal(seen.times, 2);
}

/* A module holds the address where a class begins, so that no chunk may. */
static void none_begins_where_its_class_does(void **state) {
  (void)state;
  for (unsigned i = 0; i < 5000; i++) {
    char *p = allocate(900, false);
    assert_true((uintptr_t)p != hp_bare_class_base(hp_bare_class(900)));
  }
}

/* Bytes in memory of the pages of which these are all bytes. */
static size_t resident(const void *from, const void *until) {
  const uintptr_t begin = ((uintptr_t)from + 4095) / 4096 * 4096,
                  end = (uintptr_t)until / 4096 * 4096;
  static uint8_t pages[4096];
  size_t bytes = 0;
  assert_true((end - begin) / 4096 <= sizeof pages);
  assert_true(hp_sys_in_memory((void *)begin, end - begin, pages));
  for (size_t i = 0; i < (end - begin) / 4096; i++)
    bytes += (pages[i] & 1) * (size_t)4096;
  return bytes;
}

/* Of what is free pages go, and none on which anything lives. */
static void free_pages_are_given_back(void **state) {
  (void)state;
  enum { CHUNKS = 40000, SIZE = 100, LIVE = 20000 };
  static char *all[CHUNKS];
  for (size_t i = 0; i < CHUNKS; i++) {
    all[i] = allocate(SIZE, false);
    memset(all[i], (int)(i | 1), SIZE);
  }
  const char *least = all[0], *most = all[0];
  for (size_t i = 0; i < CHUNKS; i++) {
    least = all[i] < least ? all[i] : least;
    most = all[i] > most ? all[i] : most;
  }
  const size_t before = resident(least, most);
  assert_true(before > (size_t)CHUNKS * SIZE);
  for (size_t i = 0; i < CHUNKS; i++)
    if (i < LIVE || i % 5000)
      deallocate(all[i]);
  hp_primary_release_free();
  assert_true(resident(least, most) < before / 8);
  for (size_t i = LIVE; i < CHUNKS; i += 5000) {
    assert_int_equal(hp_usable_size(all[i]), SIZE);
    for (size_t k = 0; k < SIZE; k++)
      assert_int_equal(all[i][k], (char)(i | 1));
    deallocate(all[i]);
  }
  for (size_t i = 0; i < CHUNKS; i++) { /* they are slots as before */
    all[i] = allocate(SIZE, true);
    assert_int_equal(hp_usable_size(all[i]), SIZE);
    memset(all[i], 1, SIZE);
  }
  for (size_t i = 0; i < CHUNKS; i++)
    deallocate(all[i]);
}

int main(void) {
  double_start();
  hp_access_hooked = false;
  hp_access_began_unhooked = true;
  assert_true(hp_bare_reserve());
  hp_bare_is_on = true;
  hp_thread_get()->small_max = HP_SMALL_MAX;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_life),
      cmocka_unit_test(sizes),
      cmocka_unit_test(what_is_for_others),
      cmocka_unit_test(resized),
      cmocka_unit_test(copied_into_a_larger_one),
      cmocka_unit_test(beyond_the_size),
      cmocka_unit_test(copied_beyond_the_size),
      cmocka_unit_test(seen_while_it_lives),
      cmocka_unit_test(none_begins_where_its_class_does),
      cmocka_unit_test(free_pages_are_given_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
