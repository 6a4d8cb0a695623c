/* test_heap.c - every address of the range finds its record.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "heap/area.h"
#include "heap/owner.h"
#include "heap/share.h"
#include "heap/warm_slots.h"
#include "system/limit.h"
#include "system/touched_pages.h"
#include "system_double.h"

#include <stdlib.h>

#include <string.h>
#include <sys/mman.h>

static struct hp_owner owner_of(const void *p) {
  assert_true(hp_heap_holds(p));
  return hp_owner_checked(p);
}

static void class_of_every_size(void **state) {
  (void)state;
  assert_int_equal(hp_slot_class(0), 0);
  assert_int_equal(hp_slot_class(64), 0);
  assert_int_equal(hp_slot_class(65), 1);
  assert_int_equal(hp_slot_class(HP_SMALL_MAX), HP_CLASS_COUNT - 1);
  for (size_t size = 1; size <= HP_SMALL_MAX; size++) {
    unsigned c = hp_slot_class(size);
    assert_true(size <= (size_t)1 << hp_heap_slot_shift(c));
    assert_true(c == 0 || size > (size_t)1 << hp_heap_slot_shift(c - 1));
  }
}

/* A chunk of less than a cache line is in one, of all sizes above the record's in one of
   its own that it does not fill, and one that is a quarter larger has all but that quarter
   in one; it takes no larger slot for that, and is aligned as it is asked. */
static void chunks_in_cache_lines(void **state) {
  (void)state;
  for (size_t size = 0; size <= HP_SMALL_MAX; size++) {
    const size_t front = hp_front_for(size, 0), end = front + size;
    assert_true(front >= sizeof(struct hp_chunk));
    assert_int_equal(hp_front_of(hp_front_code(front) << HP_RECORD_FRONT_SHIFT),
                     front);
    assert_int_equal(front % 16, 0);
    assert_int_equal(hp_front_for(size, sizeof(struct hp_chunk)) %
                         sizeof(struct hp_chunk),
                     0);
    if (size >= HP_CACHE_LINE && size < HP_CACHE_LINE + HP_CACHE_LINE / 4)
      assert_true(front + HP_CACHE_LINE / 4 == HP_CACHE_LINE &&
                  end < (size_t)2 * HP_CACHE_LINE);
    assert_int_equal(hp_slot_class(hp_slot_need(size, front)),
                     hp_slot_class(hp_slot_need(size, HP_FRONT)));
    if (size && size < HP_CACHE_LINE)
      assert_int_equal(front / HP_CACHE_LINE, (end - 1) / HP_CACHE_LINE);
    assert_int_equal(hp_front_for(size, 4096), 4096);
  }
}

/* From slot to record and back, at both ends of every region. */
static void records_do_not_overlap(void **state) {
  (void)state;
  for (unsigned c = 0; c < HP_ALL_CLASS_COUNT; c++) {
    struct hp_chunk *first = hp_heap_slot(c, 0);
    struct hp_chunk *last = hp_heap_slot(c, hp_heap_class_slots(c) - 1);
    assert_int_equal(hp_chunk_class(first), c);
    assert_int_equal(hp_chunk_class(last), c);
    assert_int_equal((uintptr_t)first, hp_heap_class_base(c));
    uintptr_t end = (uintptr_t)(hp_heap_slot_shift(c) + 1) << HP_REGION_SHIFT;
    size_t slot = (size_t)1 << hp_heap_slot_shift(c);
    assert_int_equal((uintptr_t)last, end - slot);
    assert_ptr_equal(hp_owner_of((void *)(end - 1)).chunk, last);
    assert_true((uintptr_t)(hp_cold_of(last) + 1) <=
                HP_RECORDS_BASE + HP_RECORDS_DISTANCE);
    if (c > 0)
      assert_true(hp_cold_of(last) < hp_cold_of(hp_heap_slot(c - 1, 0)));
    assert_true((uintptr_t)(hp_crowd_of(last) + 1) <= HP_RECORDS_END);
    assert_ptr_equal(hp_share_in(hp_heap_area(0), end - 1),
                     (uintptr_t)hp_cold_of(last) - HP_RECORDS_DISTANCE);
  }
}

extern const uint64_t masks[] __asm__(HP_MASKS_SYMBOL);

/* What an inline hook does instead of shifting. */
static uintptr_t masked(uintptr_t address) {
  return address & masks[(int64_t)address >> HP_REGION_SHIFT];
}

static void masks_find_the_same_records(void **state) {
  (void)state;
  for (unsigned c = 0; c < HP_ALL_CLASS_COUNT; c++) {
    uintptr_t end = (uintptr_t)(hp_heap_slot_shift(c) + 1) << HP_REGION_SHIFT;
    const uintptr_t in_heap[] = {hp_heap_class_base(c) + 1, end - 1};
    for (size_t i = 0; i < sizeof in_heap / sizeof *in_heap; i++)
      assert_ptr_equal(masked(in_heap[i]),
                       hp_owner_of((void *)in_heap[i]).chunk);
  }
  const uintptr_t outside[] = {0,
                               HP_HEAP_BASE - 1,
                               HP_HEAP_BASE + HP_HEAP_SIZE,
                               HP_PLAIN_BASE,
                               HP_RECORDS_BASE,
                               (uintptr_t)masks,
                               (uintptr_t)outside,
                               ((uintptr_t)1 << 56) - 1, /* the last below */
                               UINTPTR_MAX << 56, /* the first of the kernel */
                               UINTPTR_MAX};
  for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
    assert_int_equal(masked(outside[i]), 0);
}

/* By which AMD's caches of data look up a line of one page offset. */
static unsigned way_bits(const void *p) {
  unsigned bits = 0;
  for (unsigned i = 0; i < 8; i++)
    bits |= (((uintptr_t)p >> (12 + i) ^ (uintptr_t)p >> (27 - i)) & 1) << i;
  return bits;
}

/* Of all classes whose slots are not too large for that. */
static void first_chunks_do_not_meet_in_caches(void **state) {
  (void)state;
  bool seen[256] = {false};
  for (unsigned c = 0; hp_heap_slot_shift(c) < 28; c++) {
    const struct hp_chunk *first = hp_heap_slot(c, 0);
    assert_int_equal((uintptr_t)first % ((size_t)1 << hp_chunk_shift(first)),
                     0);
    assert_false(seen[way_bits(first)]);
    seen[way_bits(first)] = true;
  }
  bool seen_plain[256] = {false};
  for (unsigned c = 0; c < HP_PLAIN_CLASS_COUNT; c++) {
    const void *first = (const void *)hp_plain_class_base(c);
    assert_false(seen_plain[way_bits(first)]);
    seen_plain[way_bits(first)] = true;
  }
}

static void every_byte_of_a_slot_finds_its_record(void **state) {
  (void)state;
  for (unsigned c = 0; c < HP_CLASS_COUNT; c++) {
    struct hp_cache cache = {.max = (uint16_t)hp_cache_max(c)};
    size_t slot = (size_t)1 << hp_heap_slot_shift(c);
    for (int i = 0; i < 200; i++) { /* more than a batch */
      struct hp_chunk *chunk = hp_primary_take(&cache, c);
      assert_non_null(chunk);
      assert_int_equal(hp_chunk_class(chunk), c);
      char *p = (char *)chunk;
      assert_int_equal((uintptr_t)p % slot, 0);
      memset(p, 1, slot);
      for (size_t at = 0; at < slot; at += slot / 16) {
        struct hp_owner owner = owner_of(p + at);
        assert_ptr_equal(owner.chunk, chunk);
        assert_int_equal(owner.offset, at);
        assert_int_equal(owner.slot_rest, slot - at);
      }
    }
  }
}

static void a_slot_never_used_has_no_record(void **state) {
  (void)state;
  const uintptr_t half = (uintptr_t)1 << (HP_REGION_SHIFT - 1);
  assert_null(owner_of((void *)(hp_heap_class_base(3) + half)).chunk);
  assert_null(owner_of((void *)(hp_heap_class_base(20) + half)).chunk);
  for (unsigned c = 0; c < HP_ALL_CLASS_COUNT; c++)
    if (hp_heap_class_start[c])
      assert_null(owner_of((void *)(hp_heap_class_base(c) - 1)).chunk);
}

static void outside_the_range_is_not_owned(void **state) {
  (void)state;
  int local = 0;
  const uintptr_t end = HP_HEAP_BASE + HP_HEAP_SIZE;
  assert_false(hp_heap_holds(&local));
  assert_false(hp_heap_holds(NULL));
  assert_false(hp_heap_holds((void *)(HP_HEAP_BASE - 1)));
  assert_true(hp_heap_holds((void *)HP_HEAP_BASE));
  assert_true(hp_heap_holds((void *)(end - 1)));
  assert_false(hp_heap_holds((void *)end));
}

static void a_cache_gives_back_what_it_does_not_need(void **state) {
  (void)state;
  struct hp_cache cache = {.max = (uint16_t)hp_cache_max(2)}, other = cache;
  struct hp_chunk *taken[1000];
  for (int i = 0; i < 1000; i++)
    taken[i] = hp_primary_take(&cache, 2);
  for (int i = 0; i < 1000; i++) {
    hp_primary_give(&cache, 2, taken[i]);
    assert_true(cache.count <= HP_CACHE_MAX);
  }
  hp_primary_drain(&cache, 2, 0);
  assert_int_equal(cache.count, 0);
  uint64_t slots = hp_primary_slots(2);
  for (int i = 0; i < 1000; i++)
    assert_non_null(hp_primary_take(&other, 2));
  assert_int_equal(hp_primary_slots(2), slots); /* all were used again */
}

static void a_cache_keeps_few_large_slots(void **state) {
  (void)state;
  for (unsigned c = 0; c < HP_CLASS_COUNT; c++) {
    struct hp_cache cache = {.max = (uint16_t)hp_cache_max(c)};
    struct hp_chunk *taken[2 * HP_CACHE_MAX];
    size_t most = 0;
    for (unsigned i = 0; i < 2 * HP_CACHE_MAX; i++)
      taken[i] = hp_primary_take(&cache, c);
    for (unsigned i = 0; i < 2 * HP_CACHE_MAX; i++) {
      hp_primary_give(&cache, c, taken[i]);
      most = cache.count > most ? cache.count : most;
    }
    assert_true(most << hp_heap_slot_shift(c) <= HP_CACHE_BYTES);
    assert_true(most == HP_CACHE_MAX ||
                most << hp_heap_slot_shift(c) == HP_CACHE_BYTES);
  }
}

static void without_memory_slots_that_are_given_back_are_lost(void **state) {
  (void)state;
  enum { COUNT = 1 << 20 }; /* more than one step of an arena */
  struct hp_cache cache = {.max = (uint16_t)hp_cache_max(3)}, other = cache;
  struct hp_chunk **taken = calloc(COUNT, sizeof *taken);
  for (int i = 0; i < COUNT; i++)
    taken[i] = hp_primary_take(&cache, 3);
  uint64_t slots = hp_primary_slots(3);
  double_commit_limit = 0;
  for (int i = 0; i < COUNT; i++)
    hp_primary_give(&cache, 3, taken[i]);
  hp_primary_drain(&cache, 3, 0);
  double_commit_limit = SIZE_MAX;
  assert_int_equal(cache.count, 0);
  for (int i = 0; i < COUNT; i++) {
    taken[i] = hp_primary_take(&other, 3);
    assert_non_null(taken[i]);
  }
  assert_true(hp_primary_slots(3) > slots);
  free(taken);
}

static void where_memory_is_scarce_an_arena_grows_by_pages(void **state) {
  (void)state;
  const size_t page = 4096;
  struct hp_arena arena = {0};
  assert_true(hp_arena_reserve(&arena, 1 << 22, 1 << 22));
  double_commit_limit = 16 * page;
  assert_true(hp_arena_commit(&arena, page + 1));
  assert_int_equal(arena.committed, 2 * page);
  assert_false(hp_arena_commit(&arena, 20 * page));
  assert_int_equal(arena.committed, 2 * page);
  assert_true(hp_arena_commit(&arena, 18 * page));
  memset(arena.base, 1, 18 * page);
  double_commit_limit = SIZE_MAX;
  assert_true(hp_arena_commit(&arena, 18 * page + 1));
  assert_int_equal(arena.committed, 1 << 20);
}

static uint64_t large_slots(void) {
  uint64_t sum = 0;
  for (unsigned c = HP_CLASS_COUNT; c < HP_ALL_CLASS_COUNT; c++)
    sum += hp_secondary_slots(c, HP_PROFILED);
  return sum;
}

static void large_chunks_are_found_and_reused(void **state) {
  (void)state;
  enum { COUNT = 20 };
  struct hp_chunk *chunk[COUNT];
  for (size_t i = 0; i < COUNT; i++) {
    chunk[i] = hp_secondary_take((i + 1) * 100000, 16, HP_PROFILED);
    assert_non_null(chunk[i]);
    assert_true(hp_chunk_is_large(chunk[i]));
  }
  for (size_t i = 0; i < COUNT; i++) {
    char *p = (char *)chunk[i];
    size_t extent = hp_large_extent(HP_FRONT + (i + 1) * 100000);
    for (size_t at = 0; at < extent; at += HP_GRANULE / 2) {
      assert_ptr_equal(owner_of(p + at).chunk, chunk[i]);
      assert_int_equal(owner_of(p + at).offset, at);
      assert_int_equal(p[at], 0);
      p[at] = 1;
    }
  }
  uint64_t slots = large_slots();
  for (size_t i = 0; i < COUNT; i += 2)
    hp_secondary_give(chunk[i], HP_PROFILED, (i + 1) * 100000);
  for (size_t i = 1; i < COUNT; i += 2)
    hp_secondary_give(chunk[i], HP_PROFILED, (i + 1) * 100000);
  for (size_t i = 0; i < COUNT; i++) {
    chunk[i] = hp_secondary_take((i + 1) * 100000, 16, HP_PROFILED);
    const char *p = (const char *)chunk[i];
    assert_false(hp_slot_is_warm(chunk[i], HP_PROFILED));
    assert_int_equal(p[0], 0); /* zeroed again */
  }
  assert_int_equal(large_slots(), slots);
  for (size_t i = 0; i < COUNT; i++)
    hp_secondary_give(chunk[i], HP_PROFILED, (i + 1) * 100000);
}

static size_t resident(const void *p, size_t size) {
  struct hp_touched_bytes bytes;
  assert_true(hp_look_at_pages((uintptr_t)p, (uintptr_t)p + size, &bytes));
  return bytes.resident;
}

/* A slot whose chunk of SIZE bytes is touched all over. */
static struct hp_chunk *take_touched(size_t size) {
  struct hp_chunk *chunk = hp_secondary_take(size, 16, HP_PROFILED);
  assert_non_null(chunk);
  memset(chunk, 1, HP_FRONT + size);
  return chunk;
}

static void a_class_keeps_as_many_slots_as_it_missed(void **state) {
  (void)state;
  const size_t size = (size_t)9 << 20;
  struct hp_chunk *first = take_touched(size), *second = take_touched(size);
  hp_secondary_give(first, HP_PROFILED, size);
  assert_false(hp_slot_is_warm(first, HP_PROFILED));
  assert_ptr_equal(take_touched(size), first); /* missed */
  hp_secondary_give(first, HP_PROFILED, size);
  hp_secondary_give(second, HP_PROFILED, size);
  assert_true(hp_slot_is_warm(first, HP_PROFILED));
  assert_false(hp_slot_is_warm(second, HP_PROFILED));
  assert_ptr_equal(hp_secondary_take(size, 16, HP_PROFILED), first);
  assert_true(hp_slot_is_warm(first, HP_PROFILED));
  assert_int_equal(((const char *)first)[size], 1); /* as it was left */
  hp_secondary_cool(first, HP_PROFILED);
  assert_false(hp_slot_is_warm(first, HP_PROFILED));
  assert_int_equal(((const char *)first)[size], 0);
  hp_secondary_give(first, HP_PROFILED, size);
}

static void free_slots_keep_no_more_than_they_may(void **state) {
  (void)state;
  const size_t size = HP_WARM_SLOT_MAX - HP_GRANULE;
  struct hp_chunk *missed[3];
  for (int turn = 0; turn < 2; turn++) {
    for (int i = 0; i < 3; i++)
      missed[i] = take_touched(size);
    for (int i = 0; i < 3 && turn == 0; i++)
      hp_secondary_give(missed[i], HP_PROFILED, size);
  }
  for (int i = 0; i < 3; i++)
    hp_secondary_give(missed[i], HP_PROFILED, size);
  struct hp_chunk *first = take_touched(size), *second = take_touched(size);
  struct hp_chunk *third = take_touched(size);
  struct hp_chunk *larger = take_touched(HP_WARM_SLOT_MAX + 1);
  hp_secondary_trim();
  hp_secondary_give(larger, HP_PROFILED, HP_WARM_SLOT_MAX + 1);
  assert_false(hp_slot_is_warm(larger, HP_PROFILED));
  assert_int_equal(resident(larger, HP_WARM_SLOT_MAX), 0);
  hp_secondary_give(first, HP_PROFILED, size);
  hp_secondary_give(second, HP_PROFILED, size);
  assert_true(hp_slot_is_warm(first, HP_PROFILED));
  assert_true(resident(second, size) == size);
  hp_secondary_give(third, HP_PROFILED, size); /* there is no room any more */
  assert_int_equal(resident(first, size), 0);
  assert_int_equal(resident(second, size), 0);
  assert_true(resident(third, size) == size);
  assert_true(hp_secondary_trim());
  assert_int_equal(resident(third, size), 0);
  assert_false(hp_secondary_trim());
}

static void a_large_chunk_grows_where_it_is(void **state) {
  (void)state;
  const size_t size = (size_t)300 << 10, most = ((size_t)512 << 10) - HP_FRONT;
  struct hp_chunk *chunk = take_touched(size);
  assert_true(hp_secondary_fits(chunk, size, most));
  assert_false(hp_secondary_fits(chunk, size, most + 1));
  hp_secondary_resized(chunk, HP_PROFILED, size, most);
  memset(chunk, 1, HP_FRONT + most);
  assert_true(hp_secondary_fits(chunk, most, HP_COLOURED_MIN));
  assert_false(hp_secondary_fits(chunk, most, HP_COLOURED_MIN - 1));
  hp_secondary_resized(chunk, HP_PROFILED, most, HP_COLOURED_MIN);
  assert_int_equal(resident(chunk, most),
                   hp_large_extent(HP_FRONT + HP_COLOURED_MIN));
  hp_secondary_give(chunk, HP_PROFILED, HP_COLOURED_MIN);
}

static void large_alignment(void **state) {
  (void)state;
  for (size_t alignment = HP_GRANULE; alignment <= (size_t)1 << 30;
       alignment *= 4) {
    struct hp_chunk *chunk = hp_secondary_take(1, alignment, HP_PROFILED);
    assert_non_null(chunk);
    assert_int_equal((uintptr_t)chunk % alignment, 0);
    assert_true((size_t)1 << hp_chunk_shift(chunk) > alignment);
    hp_secondary_give(chunk, HP_PROFILED, 1);
  }
}

/* Arrays of one size, of whatever alignment up to a page. */
static void large_chunks_do_not_begin_alike(void **state) {
  (void)state;
  const size_t size = 3 << 20;
  for (size_t alignment = 16; alignment <= 4096; alignment *= 2) {
    struct hp_chunk *chunk[HP_COLOURS];
    size_t front[HP_COLOURS];
    for (size_t i = 0; i < HP_COLOURS; i++) {
      chunk[i] = hp_secondary_take(size, alignment, HP_PROFILED);
      front[i] = hp_large_front(chunk[i], size, alignment);
      assert_int_equal(front[i] % alignment, 0);
      assert_in_range(front[i], HP_FRONT, ((size_t)4 << 20) - size);
      assert_int_equal(
          hp_front_of(hp_front_code(front[i]) << HP_RECORD_FRONT_SHIFT),
          front[i]);
      for (size_t k = 0; k < i; k++)
        assert_int_not_equal(front[i], front[k]);
    }
    for (size_t i = 0; i < HP_COLOURS; i++)
      hp_secondary_give(chunk[i], HP_PROFILED, size);
  }
}

/* Where there is no room, or the page would count, or for large alignments. */
static void others_begin_where_they_did(void **state) {
  (void)state;
  const struct hp_chunk *first = hp_heap_slot(13, 0); /* slots of 512 KiB */
  for (size_t i = 0; i < 2 * HP_COLOURS; i++) {
    const struct hp_chunk *chunk =
        first + (i << hp_chunk_shift(first)) / sizeof *chunk;
    assert_int_equal(hp_large_front(chunk, (512 << 10) - HP_FRONT, 16),
                     HP_FRONT);
    assert_int_equal(hp_large_front(chunk, HP_COLOURED_MIN - 1, 16), HP_FRONT);
    assert_int_equal(hp_large_front(chunk, HP_COLOURED_MIN, 8192), 8192);
  }
  for (size_t front = HP_FRONT; front <= HP_SLOT_MAX; front *= 2)
    assert_int_equal(hp_front_of(hp_front_code(front) << HP_RECORD_FRONT_SHIFT),
                     front);
}

static void too_large_is_refused(void **state) {
  (void)state;
  assert_null(hp_secondary_take(SIZE_MAX, 16, HP_PROFILED));
  assert_null(hp_secondary_take(HP_SIZE_MAX, 16, HP_PROFILED));
  assert_null(hp_secondary_take(HP_SLOT_MAX + 1, 16, HP_PROFILED));
  assert_null(hp_secondary_take(HP_SLOT_MAX, 16, HP_PROFILED));
  assert_null(hp_secondary_take(16, HP_SLOT_MAX * 2, HP_PROFILED));
}

static void a_class_that_is_used_up_takes_the_next(void **state) {
  (void)state;
  struct hp_chunk *chunk[4];
  const size_t size = HP_SLOT_MAX / 2 - HP_FRONT;
  for (int i = 0; i < 3; i++) { /* two slots, and the one of twice the size */
    chunk[i] = hp_secondary_take(size, 16, HP_PROFILED);
    assert_non_null(chunk[i]);
  }
  assert_null(hp_secondary_take(size, 16, HP_PROFILED));
  for (int i = 0; i < 3; i++)
    hp_secondary_give(chunk[i], HP_PROFILED, size);
  chunk[0] = hp_secondary_take(HP_SLOT_MAX - HP_FRONT, 16, HP_PROFILED);
  assert_non_null(chunk[0]);
  hp_secondary_give(chunk[0], HP_PROFILED, HP_SLOT_MAX - HP_FRONT);
}

static void refused_memory_is_a_refused_chunk(void **state) {
  (void)state;
  hp_secondary_trim(); /* what is warm is not asked for again */
  double_commit_limit = 0;
  assert_null(hp_secondary_take((size_t)1 << 30, 16, HP_PROFILED));
  double_commit_limit = SIZE_MAX;
  struct hp_chunk *chunk = hp_secondary_take((size_t)1 << 30, 16, HP_PROFILED);
  assert_non_null(chunk);
  hp_secondary_give(chunk, HP_PROFILED, (size_t)1 << 30);
}

/* Last: the heap begins anew. */
static void without_a_reservation_parts_are_mapped(void **state) {
  (void)state;
  munmap((void *)HP_HEAP_BASE, HP_HEAP_SIZE);
  munmap((void *)HP_RECORDS_BASE, HP_RECORDS_SIZE);
  hp_secondary_forget_free();
  double_reserve_limit = (size_t)1 << 30;
  assert_true(hp_heap_reserve());
  assert_false(hp_heap_reserved);
  assert_true(hp_space_is_limited);
  hp_primary_start();
  hp_secondary_start();
  assert_int_equal(hp_share_new_area(), hp_heap_area(0));
  assert_int_equal(hp_share_new_area(), hp_heap_area(1));
  assert_int_equal(hp_share_new_area(), 0);
  for (int turn = 0; turn < 2; turn++) {
    struct hp_chunk *chunk = hp_secondary_take(300000, 16, HP_PROFILED);
    assert_non_null(chunk);
    char *p = (char *)chunk;
    assert_int_equal(p[299999], 0);
    assert_int_equal(p[4095], 0);
    memset(p, 1, 300000);
    hp_secondary_give(chunk, HP_PROFILED, 300000);
    assert_int_equal(msync(p, 4096, MS_ASYNC), 0); /* but the record's page */
    assert_int_not_equal(msync(p + 4096, 4096, MS_ASYNC), 0); /* given back */
  }
  double_reserve_limit = SIZE_MAX;
  hp_space_is_limited = hp_large_are_tight = false;
}

static void a_range_that_is_taken_is_an_error(void **state) {
  (void)state;
  munmap((void *)HP_HEAP_BASE, HP_HEAP_SIZE);
  munmap((void *)HP_RECORDS_BASE, HP_RECORDS_SIZE);
  void *there = mmap((void *)(HP_RECORDS_BASE + 4096), 4096, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  assert_false(hp_heap_reserve());
  munmap(there, 4096);
  assert_true(hp_heap_reserve());
  assert_true(hp_heap_reserved);
}

/* Dense arenas get huge pages: of what was touched, then with each step. */
static void only_dense_arenas_get_huge_pages(void **state) {
  (void)state;
  enum { MIB = 1 << 20 };
  struct hp_arena dense = {.dense = true}, sparse = {0}, whole;
  assert_true(hp_arena_reserve(&whole, 32 * MIB, 32 * MIB));
  dense.base = whole.base + -(uintptr_t)whole.base % (2 * MIB);
  sparse.base = dense.base + 14 * MIB;
  dense.reserved = sparse.reserved = 14 * MIB;
  double_populated = double_collapsed = 0;
  for (size_t i = 0; i < 8; i++) {
    assert_int_equal(double_collapsed, i ? (i - 1) / 2 * 2 * MIB : 0);
    assert_non_null(hp_arena_take(&dense, MIB));
  }
  assert_non_null(hp_arena_take(&sparse, 12 * MIB));
  assert_non_null(hp_arena_take(&sparse, MIB));
  assert_int_equal(double_collapsed, 6 * MIB);
  assert_int_equal(double_populated, 0);
  assert_non_null(hp_arena_take(&dense, 8));
  assert_int_equal(double_collapsed, 8 * MIB);
  assert_int_equal(double_populated, 2 * MIB);
  assert_non_null(hp_arena_take(&dense, 2 * MIB));
  assert_int_equal(double_collapsed, 8 * MIB);
  assert_int_equal(double_populated, 4 * MIB);
  munmap(whole.base, whole.reserved);
}

static int start(void **state) {
  (void)state;
  double_start();
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(class_of_every_size),
      cmocka_unit_test(chunks_in_cache_lines),
      cmocka_unit_test(records_do_not_overlap),
      cmocka_unit_test(masks_find_the_same_records),
      cmocka_unit_test(first_chunks_do_not_meet_in_caches),
      cmocka_unit_test(every_byte_of_a_slot_finds_its_record),
      cmocka_unit_test(a_slot_never_used_has_no_record),
      cmocka_unit_test(outside_the_range_is_not_owned),
      cmocka_unit_test(a_cache_gives_back_what_it_does_not_need),
      cmocka_unit_test(a_cache_keeps_few_large_slots),
      cmocka_unit_test(without_memory_slots_that_are_given_back_are_lost),
      cmocka_unit_test(where_memory_is_scarce_an_arena_grows_by_pages),
      cmocka_unit_test(large_chunks_are_found_and_reused),
      cmocka_unit_test(a_class_keeps_as_many_slots_as_it_missed),
      cmocka_unit_test(free_slots_keep_no_more_than_they_may),
      cmocka_unit_test(a_large_chunk_grows_where_it_is),
      cmocka_unit_test(large_alignment),
      cmocka_unit_test(large_chunks_do_not_begin_alike),
      cmocka_unit_test(others_begin_where_they_did),
      cmocka_unit_test(too_large_is_refused),
      cmocka_unit_test(a_class_that_is_used_up_takes_the_next),
      cmocka_unit_test(refused_memory_is_a_refused_chunk),
      cmocka_unit_test(without_a_reservation_parts_are_mapped),
      cmocka_unit_test(a_range_that_is_taken_is_an_error),
      cmocka_unit_test(only_dense_arenas_get_huge_pages),
  };
  return cmocka_run_group_tests(tests, start, NULL);
}
