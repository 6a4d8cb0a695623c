/* secondary.c - large chunks: a list of free slots a class, one lock.
   They are rare and cost page faults anyway; only owner lookup must be fast.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "heap/secondary.h"
#include "heap/share.h"
#include "heap/warm_slots.h"
#include "system/limit.h"
#include "system/memory.h"

/* More than there is memory is refused, as without us; smaller ones cannot be,
   and are not worth the question. */
#define HP_ASKED_FOR ((size_t)1 << 30)

static bool is_too_much(size_t size) {
  return size >= HP_ASKED_FOR && hp_heap_reserved && !hp_sys_would_map(size);
}

struct region {
  struct hp_chunk *head; /* cold free slots, linked through their records' t0 */
  struct hp_record_arenas records;
};
static struct region regions[HP_RANGES][HP_ALL_CLASS_COUNT];
static struct hp_lock lock;

uint64_t hp_secondary_used[HP_RANGES][HP_ALL_CLASS_COUNT];

bool hp_large_are_tight;

void hp_secondary_start(void) {
  hp_large_are_tight = hp_memory_is_limited();
  for (unsigned c = HP_CLASS_COUNT; c < HP_ALL_CLASS_COUNT; c++) {
    struct hp_record_arenas records = hp_heap_record_arenas(c);
    regions[HP_PROFILED][c] = (struct region){.records = records};
    struct hp_arena *plain = &records.of[0]; /* the others are not used */
    plain->base = (char *)hp_large_record(hp_heap_slot(c, 0), HP_PLAIN);
    regions[HP_PLAIN][c] = (struct region){.records = records};
  }
}

void hp_secondary_refuse_huge(void) {
  const uintptr_t begin = (uintptr_t)hp_heap_slot_shift(HP_CLASS_COUNT)
                          << HP_REGION_SHIFT;
  if (hp_heap_reserved)
    hp_sys_refuse_huge((void *)begin, HP_HEAP_BASE + HP_HEAP_SIZE - begin);
}

void hp_secondary_lock(void) { hp_lock_take(&lock); }
void hp_secondary_unlock(void) { hp_lock_release(&lock); }

void hp_secondary_forget_free(void) {
  for (unsigned r = 0; r < HP_RANGES; r++)
    for (unsigned c = 0; c < HP_ALL_CLASS_COUNT; c++)
      regions[r][c].head = NULL;
  hp_warm_forget();
}

/* Where memory is limited, less than this is wasted behind a chunk: 1/64 of it,
   or what is left of a page. */
HP_NOINLINE size_t hp_large_extent(size_t size) {
  size_t granule = HP_GRANULE;
  if (hp_memory_is_limited())
    while (granule > HP_PAGE && granule > size / 64)
      granule /= 2;
  return size ? (size + granule - 1) & ~(granule - 1) : granule;
}

/* ---- what libc would map ------------------------------------------------- */

static struct hp_mapped_usage mapped;

static size_t whole_pages(size_t size) {
  return (size + HP_PAGE - 1) & ~(HP_PAGE - 1);
}

static void raise_to(uint64_t *most, uint64_t value) {
  if (*most < value)
    *most = value;
}

/* With the lock. */
static void add_mapped(const struct hp_chunk *chunk, size_t size) {
  if (hp_chunk_class(chunk) < HP_MAPPED_CLASS)
    return;
  mapped.bytes += whole_pages(size);
  raise_to(&mapped.most_chunks, ++mapped.chunks);
  raise_to(&mapped.most_bytes, mapped.bytes);
}

static void remove_mapped(const struct hp_chunk *chunk, size_t size) {
  if (hp_chunk_class(chunk) < HP_MAPPED_CLASS)
    return;
  mapped.bytes -= whole_pages(size);
  mapped.chunks--;
}

struct hp_mapped_usage hp_secondary_mapped(void) {
  uint64_t mask = hp_lock_take_held(&lock);
  struct hp_mapped_usage now = mapped;
  hp_lock_release_held(&lock, mask);
  return now;
}

/* ---- slots --------------------------------------------------------------- */

/* So many may be mappings of their own, of the 65530 that the system allows. */
#define HP_SLOTS_APART 16384u
static uint64_t live_slots;

static void return_pages(char *p, size_t size) {
  if (hp_heap_reserved)
    hp_sys_uncommit(p, size);
  else
    hp_sys_unmap(p, size);
}

/* A dump may just be looking at the record's page, which stays. */
static void return_slot(char *slot, size_t whole) {
  const bool is_limited = hp_memory_is_limited();
  hp_sys_release(slot, is_limited ? HP_PAGE : whole);
  if (is_limited)
    return_pages(slot + HP_PAGE, whole - HP_PAGE);
}

static bool commit_records(struct region *region, enum hp_range range,
                           uint64_t count) {
  if (range == HP_PROFILED)
    return hp_heap_commit_records(&region->records, count) &&
           /* NOLINTNEXTLINE(clang-analyzer-security.PointerSub): of that range, as RANGE says */
           hp_share_commit((unsigned)(region - regions[HP_PROFILED]), count);
  return hp_arena_commit(&region->records.of[0],
                         count * sizeof(struct hp_cold));
}

/* The whole slot, so that neighbours become one mapping: the system bears only
   so many.  Where memory is limited, no more than is asked for, as long as
   there are few. */
static bool commit_slot(char *slot, size_t extent, size_t whole) {
  if (hp_memory_is_limited() && live_slots < HP_SLOTS_APART) {
    if (hp_sys_commit(slot, HP_PAGE) &&
        hp_sys_commit(slot + HP_PAGE, extent - HP_PAGE))
      return true;
    return_slot(slot, whole);
    return false;
  }
  return hp_sys_commit(slot, whole);
}

/* A slot of the class for SIZE bytes, which can be touched. */
static struct hp_chunk *take_slot(unsigned size_class, size_t size,
                                  size_t alignment, enum hp_range range) {
  struct hp_chunk *chunk = hp_warm_take(size_class, range);
  if (chunk)
    return chunk;
  struct region *region = &regions[range][size_class];
  chunk = region->head;
  uint64_t slots = hp_secondary_slots(size_class, range);
  if (!chunk) {
    if (slots == hp_heap_class_slots(size_class) ||
        !commit_records(region, range, slots + 1))
      return NULL;
    chunk = hp_heap_slot(size_class, slots);
  }
  size_t whole = (size_t)1 << hp_heap_slot_shift(size_class);
  size_t extent =
      hp_large_extent(hp_large_front(chunk, size, alignment) + size);
  if (!commit_slot((char *)hp_large_slot(chunk, range), extent, whole))
    return NULL;
  if (region->head) {
    region->head =
        (struct hp_chunk *)(uintptr_t)hp_large_record(chunk, range)->t0;
    hp_warm_missed(size_class, range);
  } else {
    __atomic_store_n(&hp_secondary_used[range][size_class], (slots + 1) * whole,
                     __ATOMIC_RELEASE);
  }
  return chunk;
}

struct hp_chunk *hp_secondary_take(size_t size, size_t alignment,
                                   enum hp_range range) {
  if (size > HP_SLOT_MAX || alignment > HP_SLOT_MAX)
    return NULL;
  size_t need = hp_slot_need(size, hp_front_for(size, alignment));
  if (need > HP_SLOT_MAX)
    return NULL;
  if (is_too_much(size))
    return NULL;
  struct hp_chunk *chunk = NULL;
  unsigned c = hp_slot_class(need);
  uint64_t mask = hp_lock_take_held(&lock);
  /* The regions of the largest slots have few of them. */
  for (c = c > HP_CLASS_COUNT ? c : HP_CLASS_COUNT;
       !chunk && c < HP_ALL_CLASS_COUNT; c++)
    chunk = take_slot(c, size, alignment, range);
  if (chunk) {
    add_mapped(chunk, size);
    live_slots++;
  }
  hp_lock_release_held(&lock, mask);
  return chunk;
}

static void give_cold(struct hp_chunk *chunk, enum hp_range range) {
  const unsigned size_class = hp_chunk_class(chunk);
  struct region *region = &regions[range][size_class];
  return_slot((char *)hp_large_slot(chunk, range),
              (size_t)1 << hp_heap_slot_shift(size_class));
  hp_slot_is_cold(chunk, range);
  hp_large_record(chunk, range)->t0 = (uintptr_t)region->head;
  region->head = chunk;
}

/* False: there is none that is warm. */
static bool cool_all(void) {
  struct hp_chunk *chunk = NULL;
  bool any = false;
  for (unsigned r = 0; r < HP_RANGES; r++)
    for (unsigned c = HP_CLASS_COUNT; c < HP_ALL_CLASS_COUNT; c++)
      while ((chunk = hp_warm_take(c, (enum hp_range)r)) != NULL) {
        give_cold(chunk, (enum hp_range)r);
        any = true;
      }
  return any;
}

/* A small chunk keeps it in any case: libc leaves most of what is freed as it was, and
   there are programs that read on. */
static bool keeps_memory(const struct hp_chunk *chunk, enum hp_range range,
                         uint64_t word, size_t bytes) {
  if (hp_memory_is_limited() || bytes > HP_WARM_SLOT_MAX)
    return false;
  return hp_is_apart(word) || hp_warm_is_wanted(hp_chunk_class(chunk), range);
}

/* The slot of a chunk with such a WORD.  What was kept longest may be of no use any
   more, so that all make room for the next ones. */
static void give_slot(struct hp_chunk *chunk, enum hp_range range,
                      uint64_t word) {
  const size_t bytes =
      hp_large_extent(hp_front_of(word) + (word & HP_SIZE_MAX));
  if (keeps_memory(chunk, range, word, bytes) &&
      (hp_warm_put(chunk, range, bytes) ||
       (cool_all() && hp_warm_put(chunk, range, bytes))))
    return;
  give_cold(chunk, range);
}

void hp_secondary_give(struct hp_chunk *chunk, enum hp_range range,
                       uint64_t word) {
  uint64_t mask = hp_lock_take_held(&lock);
  remove_mapped(chunk, word & HP_SIZE_MAX);
  live_slots--;
  give_slot(chunk, range, word);
  hp_lock_release_held(&lock, mask);
}

/* One that shrinks keeps an eighth of its slot at least, and what tells it from a
   small one with pages of its own. */
#define SHRINKS_TO 8

bool hp_secondary_fits(const struct hp_chunk *chunk, uint64_t word,
                       size_t size) {
  const size_t front = hp_front_of(word), before = word & HP_SIZE_MAX;
  const size_t whole = (size_t)1 << hp_chunk_shift(chunk);
  if (hp_memory_is_limited())
    return hp_large_extent(front + size) == hp_large_extent(front + before);
  return size >= HP_SMALL_MAX && size >= whole / SHRINKS_TO &&
         size <= whole - front &&
         (size >= HP_COLOURED_MIN || before < HP_COLOURED_MIN) &&
         (size <= before || !is_too_much(size));
}

void hp_secondary_resized(const struct hp_chunk *chunk, enum hp_range range,
                          uint64_t word, size_t size) {
  const size_t front = hp_front_of(word), before = word & HP_SIZE_MAX;
  const size_t from = hp_large_extent(front + size);
  const size_t to = hp_large_extent(front + before);
  uint64_t mask = hp_lock_take_held(&lock);
  remove_mapped(chunk, before);
  add_mapped(chunk, size);
  hp_lock_release_held(&lock, mask);
  if (from < to)
    hp_sys_release((void *)(hp_large_slot(chunk, range) + from), to - from);
}

void hp_secondary_cool(const struct hp_chunk *chunk, enum hp_range range) {
  if (!hp_slot_is_warm(chunk, range))
    return;
  hp_sys_release((void *)hp_large_slot(chunk, range),
                 (size_t)1 << hp_chunk_shift(chunk));
  hp_slot_is_cold(chunk, range);
}

bool hp_secondary_trim(void) {
  uint64_t mask = hp_lock_take_held(&lock);
  bool any = cool_all();
  hp_lock_release_held(&lock, mask);
  return any;
}

/* ---- the program limits its memory --------------------------------------- */

static void tighten_free(struct hp_chunk *chunk, enum hp_range range) {
  while (chunk) {
    return_slot((char *)hp_large_slot(chunk, range),
                (size_t)1 << hp_chunk_shift(chunk));
    chunk = (struct hp_chunk *)(uintptr_t)hp_large_record(chunk, range)->t0;
  }
}

static void tighten_live(struct hp_chunk *chunk) {
  const uint64_t word = hp_cold_of(chunk)->word;
  const size_t whole = (size_t)1 << hp_chunk_shift(chunk);
  const size_t extent =
      hp_large_extent(hp_front_of(word) + (word & HP_SIZE_MAX));
  if (word & HP_RECORD_LIVE && extent < whole)
    return_pages((char *)chunk + extent, whole - extent);
}

void hp_secondary_tighten(void) {
  cool_all();
  for (unsigned c = HP_CLASS_COUNT; c < HP_ALL_CLASS_COUNT; c++) {
    for (unsigned r = 0; r < HP_RANGES; r++)
      tighten_free(regions[r][c].head, (enum hp_range)r);
    const uint64_t slots = hp_secondary_slots(c, HP_PROFILED);
    for (uint64_t i = 0; i < slots && i < HP_SLOTS_APART; i++)
      tighten_live(hp_heap_slot(c, i));
    hp_heap_shrink_records(&regions[HP_PROFILED][c].records, slots);
  }
}
