/* secondary.c - large chunks: first fit over free runs of granules, one lock.
   They are rare and cost page faults anyway; only owner lookup must be fast.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "secondary.h"
#include "arena.h"
#include "sanitizer_binding.h"

/* A run of free granules below the frontier; runs never touch each other. */
struct hp_run {
  uint64_t start; /* granule */
  uint64_t count; /* granules */
};

struct hp_large *hp_larges;

static struct hp_lock lock;
static struct hp_arena larges;  /* struct hp_large, by number */
static struct hp_arena records; /* the heap's large records */
static struct hp_arena foreign; /* and their hp_foreign */
static uint32_t *numbers;       /* the heap's table of granules */
static struct hp_arena runs;    /* struct hp_run, by address */
static size_t run_count;
static uint64_t frontier; /* first granule never used */
static uint64_t granule_count;
static uint32_t large_count;
static uint32_t free_number; /* list of unused numbers through hp_large.start */

bool hp_secondary_start(void) {
  size_t region = (size_t)1 << hp_heap.region_shift;
  granule_count = 16 * region >> HP_GRANULE_SHIFT;
  records = (struct hp_arena){(char *)hp_heap.large_records, region >> 4, 0, 0};
  foreign = (struct hp_arena){(char *)hp_foreign_of(hp_heap.large_records),
                              region >> 4, 0, 0};
  numbers = (uint32_t *)(uintptr_t)hp_heap.large_numbers;
  /* All of it at once, so that any address whatever can be looked up. */
  if (!hp_sys_commit(numbers, granule_count * sizeof *numbers) ||
      !hp_arena_reserve(&larges, granule_count * sizeof(struct hp_large),
                        (size_t)1 << 20) ||
      !hp_arena_reserve(&runs, granule_count * sizeof(struct hp_run) / 2,
                        (size_t)1 << 20))
    return false;
  hp_larges = (struct hp_large *)(void *)larges.base;
  return true;
}

void hp_secondary_lock(void) { hp_lock_take(&lock); }
void hp_secondary_unlock(void) { hp_lock_release(&lock); }
uint32_t hp_secondary_count(void) { return large_count; }

static struct hp_run *run_table(void) {
  return (struct hp_run *)(void *)runs.base;
}

static void remove_run(size_t i) {
  struct hp_run *run = run_table();
  hp_real_memmove(&run[i], &run[i + 1], (run_count - i - 1) * sizeof *run);
  run_count--;
}

static bool insert_run(size_t i, uint64_t start, uint64_t count) {
  if (!hp_arena_commit(&runs, (run_count + 1) * sizeof(struct hp_run)))
    return false;
  struct hp_run *run = run_table();
  hp_real_memmove(&run[i + 1], &run[i], (run_count - i) * sizeof *run);
  run[i] = (struct hp_run){start, count};
  run_count++;
  return true;
}

/* Returns COUNT granules to the free runs, joined with their neighbours.  If
   the table cannot grow they stay unused: lost address space, nothing more. */
static void free_granules(uint64_t start, uint64_t count) {
  struct hp_run *run = run_table();
  size_t i = 0, end = run_count;
  while (i < end) { /* first run above START */
    size_t middle = i + (end - i) / 2;
    if (run[middle].start < start)
      i = middle + 1;
    else
      end = middle;
  }
  if (i > 0 && run[i - 1].start + run[i - 1].count == start) {
    run[i - 1].count += count;
    if (i < run_count && start + count == run[i].start) {
      run[i - 1].count += run[i].count;
      remove_run(i);
    }
    i--;
  } else if (i < run_count && start + count == run[i].start) {
    run[i].start = start;
    run[i].count += count;
  } else if (!insert_run(i, start, count)) {
    return;
  }
  if (run[i].start + run[i].count == frontier) {
    frontier = run[i].start;
    remove_run(i);
  }
}

/* First granule of a free place, or UINT64_MAX. */
static uint64_t find_granules(uint64_t count, uint64_t alignment) {
  uint64_t first = hp_heap_large_base() >> HP_GRANULE_SHIFT;
  struct hp_run *run = run_table();
  for (size_t i = 0; i < run_count; i++) {
    uint64_t start = run[i].start, end = start + run[i].count;
    uint64_t place =
        ((first + start + alignment - 1) & ~(alignment - 1)) - first;
    if (place + count > end)
      continue;
    if (place > start)
      run[i].count = place - start;
    else
      remove_run(i);
    if (place + count < end)
      free_granules(place + count, end - place - count);
    return place;
  }
  uint64_t place =
      ((first + frontier + alignment - 1) & ~(alignment - 1)) - first;
  if (place >= granule_count || count > granule_count - place)
    return UINT64_MAX;
  uint64_t skipped = place - frontier, old = frontier;
  frontier = place + count;
  if (skipped)
    free_granules(old, skipped);
  return place;
}

static uint32_t take_number(void) {
  if (free_number) {
    uint32_t number = free_number;
    free_number = (uint32_t)hp_large_of(number)->start;
    return number;
  }
  uint32_t number = large_count + 1;
  if (!hp_arena_commit(&larges, (number + 1) * sizeof(struct hp_large)) ||
      !hp_arena_commit(&records, (number + 1) * sizeof(struct hp_chunk)) ||
      !hp_arena_commit(&foreign, (number + 1) * sizeof(struct hp_foreign)))
    return 0;
  large_count = number;
  return number;
}

static void give_number(uint32_t number) {
  *hp_large_of(number) = (struct hp_large){.start = free_number};
  free_number = number;
}

static void set_granules(uint64_t start, uint64_t count, uint32_t number) {
  for (uint64_t i = start; i < start + count; i++)
    __atomic_store_n(&numbers[i], number, __ATOMIC_RELAXED);
}

struct hp_chunk *hp_secondary_take(size_t size, size_t alignment) {
  if (size > HP_SIZE_MAX - HP_GRANULE)
    return NULL;
  /* No bytes at a great alignment still have an address of their own. */
  uint64_t count = size ? (size + HP_GRANULE - 1) >> HP_GRANULE_SHIFT : 1;
  uint64_t granules_aligned =
      alignment > HP_GRANULE ? alignment >> HP_GRANULE_SHIFT : 1;
  hp_lock_take(&lock);
  struct hp_chunk *chunk = NULL;
  uint64_t place = find_granules(count, granules_aligned);
  if (place != UINT64_MAX) {
    uint64_t start = hp_heap_large_base() + (place << HP_GRANULE_SHIFT);
    uint32_t number = take_number();
    if (number && hp_sys_commit((void *)start, count << HP_GRANULE_SHIFT)) {
      *hp_large_of(number) = (struct hp_large){
          .start = start, .slot_size = count << HP_GRANULE_SHIFT};
      chunk = &hp_heap.large_records[number];
      set_granules(place, count, number);
    } else {
      if (number)
        give_number(number);
      free_granules(place, count);
    }
  }
  hp_lock_release(&lock);
  return chunk;
}

void hp_secondary_give(struct hp_chunk *chunk) {
  struct hp_large *large = hp_large_of_chunk(chunk);
  hp_lock_take(&lock);
  uint64_t start = (large->start - hp_heap_large_base()) >> HP_GRANULE_SHIFT;
  uint64_t count = large->slot_size >> HP_GRANULE_SHIFT;
  hp_sys_release((void *)large->start, large->slot_size);
  set_granules(start, count, 0);
  give_number((uint32_t)(chunk - hp_heap.large_records));
  free_granules(start, count);
  hp_lock_release(&lock);
}
