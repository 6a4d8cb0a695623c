/* primary.c - the central arrays behind the caches: lock and frontier.
   Slots move between cache and array in batches, so that the lock is rare.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "heap/primary.h"
#include "heap/bare_range.h"
#include "heap/record_budget.h"
#include "heap/share.h"
#include "heap/slot_class.h"
#include "system/check.h"
#include "system/limit.h"
#include "system/memory.h"
#include "system/platform.h"

/* Taken at once, at most; and where memory is limited. */
#define HP_FRESH_BYTES ((size_t)64 << 10)
#define HP_FRESH_BYTES_LIMITED ((size_t)8 << 10)

/* The record in front touches the page of each slot up to this size. */
#define HP_DENSE_SHIFT 12u

/* Free pages side by side for which the system is called. */
#define RELEASED_LEAST ((size_t)64 << 10)

/* Plain and bare slots are multiples of 16 bytes. */
#define PLAIN_UNIT 4u
_Static_assert(HP_PLAIN_REGION_SHIFT - PLAIN_UNIT <= 32 &&
                   HP_REGION_SHIFT - HP_CLASS_MIN_SHIFT <= 32,
               "32 bits name each slot of a class");

struct central {
  _Alignas(HP_CACHE_LINE) struct hp_lock lock;
  uint64_t free_count;
  struct hp_arena free;            /* u32 place_of() them, newest last */
  struct hp_arena memory;          /* the class's region */
  struct hp_record_arenas records; /* profiled */
  struct hp_arena sizes;           /* plain; of bare ones their records */
  struct hp_arena chains;          /* bare */
  size_t slot;                     /* bytes */
  size_t kept;                     /* bytes of `sizes` for a slot */
  char *names; /* of the first slot; of the others every `step` bytes */
  size_t step;
  unsigned unit; /* names are multiples of 2^unit bytes apart */
};
static struct central centrals[HP_PRIMARY_RANGES][HP_PLAIN_CLASS_COUNT];

uint64_t hp_primary_used[HP_PRIMARY_RANGES][HP_PLAIN_CLASS_COUNT];
uintptr_t hp_primary_first[HP_CLASS_COUNT];

/* A class is started with its first slot: most programs use few of them, and
   what is not written takes no memory. */
static void start_profiled(struct central *central, unsigned size_class) {
  const unsigned shift = hp_heap_slot_shift(size_class);
  central->memory =
      (struct hp_arena){.base = (char *)hp_heap_class_base(size_class),
                        .reserved = hp_heap_class_bytes(size_class),
                        .dense = shift <= HP_DENSE_SHIFT};
  central->records = hp_heap_record_arenas(size_class);
  hp_primary_first[size_class] = hp_heap_class_base(size_class);
  central->names = central->memory.base;
  central->step = central->slot = (size_t)1 << shift;
  central->unit = shift;
}

static void start_plain(struct central *central, unsigned size_class) {
  const uintptr_t base = hp_plain_class_base(size_class);
  const size_t size = ((size_t)1 << HP_PLAIN_REGION_SHIFT) -
                      base % ((size_t)1 << HP_PLAIN_REGION_SHIFT);
  central->slot = central->step = hp_plain_slot_size(size_class);
  central->kept = sizeof(uint16_t);
  central->memory =
      (struct hp_arena){.base = (char *)base,
                        .reserved = size,
                        .dense = central->slot <= (size_t)1 << HP_DENSE_SHIFT};
  central->sizes = (struct hp_arena){
      .base = (char *)hp_plain_size_words(&hp_plain_classes[size_class]),
      .reserved = size / central->slot * central->kept};
  central->names = (char *)base;
  central->unit = PLAIN_UNIT;
}

static void start_bare(struct central *central, unsigned size_class) {
  const size_t slot = hp_bare_slot_size(size_class);
  const uintptr_t base = hp_bare_class_base(size_class);
  const size_t size = ((size_t)1 << HP_PLAIN_REGION_SHIFT) -
                      base % ((size_t)1 << HP_PLAIN_REGION_SHIFT);
  struct hp_bare *records = hp_bare_records(size_class);
  central->memory =
      (struct hp_arena){.base = (char *)base, .reserved = size, .dense = true};
  central->sizes = (struct hp_arena){.base = (char *)records,
                                     .reserved = size / slot * sizeof *records,
                                     .dense = true};
  central->chains = (struct hp_arena){
      .base = (char *)hp_bare_chain(base, records),
      .reserved = size / slot * sizeof(struct hp_chain_state)};
  central->slot = central->step = slot;
  central->kept = sizeof *records;
  central->names = (char *)base;
  central->unit = PLAIN_UNIT;
}

/* With its lock. */
static void start(enum hp_range range, unsigned size_class) {
  struct central *central = &centrals[range][size_class];
  if (range == HP_PROFILED)
    start_profiled(central, size_class);
  else if (range == HP_PLAIN)
    start_plain(central, size_class);
  else
    start_bare(central, size_class);
}

static size_t slot_size(enum hp_range range, unsigned size_class) {
  if (range == HP_PROFILED)
    return (size_t)1 << hp_heap_slot_shift(size_class);
  return range == HP_PLAIN ? hp_plain_slot_size(size_class)
                           : hp_bare_slot_size(size_class);
}

void hp_primary_start(void) { hp_clear(centrals, sizeof centrals); }

/* Of one of the profiled range. */
static unsigned class_of(const struct central *central) {
  /* NOLINTNEXTLINE(clang-analyzer-security.PointerSub): it is one of these */
  return (unsigned)(central - centrals[HP_PROFILED]);
}

/* Makes the first SLOTS slots touchable, and what is kept of them. */
static bool commit(struct central *central, uint64_t slots) {
  size_t size = slots * central->slot;
  if (!hp_arena_commit(&central->memory, size))
    return false;
  if (central->chains.base &&
      !hp_arena_commit(&central->chains, slots * sizeof(struct hp_chain_state)))
    return false;
  if (central->sizes.base)
    return hp_arena_commit(&central->sizes, slots * central->kept);
  return hp_heap_commit_records(&central->records, slots) &&
         hp_share_commit(class_of(central), slots);
}

static bool may_grow(const struct central *central) {
  if (central->chains.base)
    return false;
  return central->sizes.base ||
         hp_record_budget_is_left(hp_primary_used[HP_PROFILED],
                                  class_of(central));
}

/* Puts up to COUNT slots beyond the frontier into SLOTS, those of lower
   addresses to be used first, as a program expects of fresh memory. */
static uint32_t take_fresh(struct central *central, uint64_t *bytes,
                           struct hp_chunk **slots, uint32_t count) {
  uint64_t used = *bytes / central->slot;
  /* The first bare slot stays free: where it begins is written in here, and
     whatever is written in a module is taken for a pointer by the search for
     what is reachable. */
  if (central->chains.base && used == 0)
    used = 1;
  const size_t most =
      hp_memory_is_limited() ? HP_FRESH_BYTES_LIMITED : HP_FRESH_BYTES;
  while (count > 1 && count * central->slot > most)
    count /= 2;
  if (HP_UNLIKELY(hp_memory_is_limited()) && !may_grow(central))
    return 0;
  if (!commit(central, used + count))
    return 0;
  char *end = central->names + (used + count) * central->step;
  for (uint32_t i = 0; i < count; i++)
    slots[i] = (struct hp_chunk *)(void *)(end -= central->step);
  __atomic_store_n(bytes, (used + count) * central->slot, __ATOMIC_RELEASE);
  return count;
}

static uint32_t *free_slots(const struct central *central) {
  return (uint32_t *)(void *)central->free.base;
}

/* A free slot takes four bytes: how far it is from the first one. */
static inline uint32_t place_of(const struct central *central,
                                const struct hp_chunk *chunk) {
  return (uint32_t)(((uintptr_t)chunk - (uintptr_t)central->names) >>
                    central->unit);
}

static inline struct hp_chunk *slot_at(const struct central *central,
                                       uint32_t place) {
  return (struct hp_chunk *)(void *)(central->names +
                                     ((size_t)place << central->unit));
}

/* Whether CHUNK is the name of a slot of this class that was ever used. */
static inline bool is_slot(const struct central *central, uint64_t used,
                           const struct hp_chunk *chunk) {
  const uintptr_t at = (uintptr_t)chunk - (uintptr_t)central->names;
  return at % central->step == 0 && at / central->step < used / central->slot;
}

/* Takes up to COUNT slots from what all threads share; returns how many. */
static uint32_t fetch(unsigned size_class, enum hp_range range,
                      struct hp_chunk **slots, uint32_t count) {
  struct central *central = &centrals[range][size_class];
  uint64_t mask = hp_lock_take_held(&central->lock);
  if (HP_UNLIKELY(!central->slot))
    start(range, size_class);
  if (central->free_count) {
    if (count > central->free_count)
      count = (uint32_t)central->free_count;
    central->free_count -= count;
    for (uint32_t i = 0; i < count; i++)
      slots[i] = slot_at(central, free_slots(central)[central->free_count + i]);
  } else {
    count =
        take_fresh(central, &hp_primary_used[range][size_class], slots, count);
  }
  for (uint32_t i = 0; HEAPPROF_CHECKS && i < count; i++)
    HP_CHECK(is_slot(central, hp_primary_used[range][size_class], slots[i]));
  hp_lock_release_held(&central->lock, mask);
  return count;
}

/* Makes room for COUNT more in the array. */
static bool reserve(struct central *central, uint32_t count) {
  struct hp_arena *free = &central->free;
  size_t slots = central->memory.reserved / central->slot;
  return (free->base ||
          hp_arena_reserve(free, slots * sizeof(uint32_t), 4096)) &&
         hp_arena_commit(free,
                         (central->free_count + count) * sizeof(uint32_t));
}

/* Without memory for the array the slots stay unused, nothing more. */
static void give_back(unsigned size_class, enum hp_range range,
                      struct hp_chunk *const *slots, uint32_t count) {
  struct central *central = &centrals[range][size_class];
  uint64_t mask = hp_lock_take_held(&central->lock);
  for (uint32_t i = 0; HEAPPROF_CHECKS && i < count; i++)
    HP_CHECK(is_slot(central, hp_primary_used[range][size_class], slots[i]));
  if (reserve(central, count)) {
    for (uint32_t i = 0; i < count; i++)
      free_slots(central)[central->free_count + i] =
          place_of(central, slots[i]);
    central->free_count += count;
  }
  hp_lock_release_held(&central->lock, mask);
}

bool hp_primary_refill(struct hp_cache *cache, unsigned size_class) {
  enum hp_range range = (enum hp_range)cache->range;
  cache->count = fetch(size_class, range, cache->free,
                       (hp_cache_max_of(slot_size(range, size_class)) + 1) / 2);
  return cache->count != 0;
}

void hp_primary_drain(struct hp_cache *cache, unsigned size_class,
                      uint32_t keep) {
  if (cache->count <= keep)
    return;
  uint32_t count = cache->count - keep;
  give_back(size_class, (enum hp_range)cache->range, cache->free, count);
  for (uint32_t i = 0; i < keep; i++)
    cache->free[i] = cache->free[count + i];
  cache->count = keep;
}

struct hp_chunk *hp_primary_take_shared(unsigned size_class,
                                        enum hp_range range) {
  struct hp_chunk *chunk;
  return fetch(size_class, range, &chunk, 1) ? chunk : NULL;
}

void hp_primary_give_shared(unsigned size_class, enum hp_range range,
                            struct hp_chunk *chunk) {
  give_back(size_class, range, &chunk, 1);
}

size_t hp_primary_committed(unsigned size_class, enum hp_range range) {
  return __atomic_load_n(&centrals[range][size_class].memory.committed,
                         __ATOMIC_RELAXED);
}

void hp_primary_forget_free(void) {
  for (unsigned r = 0; r < HP_PRIMARY_RANGES; r++)
    for (unsigned c = 0; c < HP_PLAIN_CLASS_COUNT; c++)
      if (centrals[r][c].free_count)
        centrals[r][c].free_count = 0;
}

/* Whole pages of [AT, AT+SIZE), if there are some. */
static HP_COLD void release_pages(uintptr_t at, size_t size) {
  const uintptr_t page = 4096, begin = (at + page - 1) / page * page,
                  end = (at + size) / page * page;
  if (begin + RELEASED_LEAST <= end)
    hp_sys_release((void *)begin, end - begin);
}

/* IS_FREE: a byte for each slot. */
static HP_COLD void release_runs(const struct central *central,
                                 const uint8_t *is_free, uint64_t slots) {
  for (uint64_t i = 0, first; i < slots; i++) {
    for (first = i; i < slots && is_free[i]; i++)
      ;
    release_pages((uintptr_t)central->names + first * central->step,
                  (i - first) * central->step);
    release_pages((uintptr_t)central->sizes.base + first * central->kept,
                  (i - first) * central->kept);
  }
}

static HP_COLD void release_class(struct central *central, uint64_t bytes) {
  const uint64_t slots = bytes / central->slot;
  uint8_t *is_free = hp_sys_map(slots);
  if (!is_free)
    return;
  for (uint64_t i = 0; i < central->free_count; i++)
    is_free[((uint64_t)free_slots(central)[i] << central->unit) /
            central->step] = 1;
  release_runs(central, is_free, slots);
  hp_sys_unmap(is_free, slots);
}

HP_COLD void hp_primary_release_free(void) {
  for (unsigned c = 0; c < HP_BARE_CLASS_COUNT; c++) {
    struct central *central = &centrals[HP_BARE][c];
    if (!hp_lock_try(&central->lock))
      continue;
    if (central->free_count * central->slot >= RELEASED_LEAST)
      release_class(central, hp_primary_bytes(c, HP_BARE));
    hp_lock_release(&central->lock);
  }
}

void hp_primary_lock(void) {
  for (unsigned r = 0; r < HP_PRIMARY_RANGES; r++)
    for (unsigned c = 0; c < HP_PLAIN_CLASS_COUNT; c++)
      hp_lock_take(&centrals[r][c].lock);
}

void hp_primary_unlock(void) {
  for (unsigned r = HP_PRIMARY_RANGES; r-- > 0;)
    for (unsigned c = HP_PLAIN_CLASS_COUNT; c-- > 0;)
      hp_lock_release(&centrals[r][c].lock);
}

static void tighten(struct central *central, uint64_t bytes) {
  if (!central->slot)
    return;
  hp_arena_shrink(&central->memory, bytes);
  hp_arena_shrink(&central->free, central->free_count * sizeof(uint32_t));
  if (central->chains.base)
    hp_arena_shrink(&central->chains,
                    bytes / central->slot * sizeof(struct hp_chain_state));
  if (central->sizes.base)
    hp_arena_shrink(&central->sizes, bytes / central->slot * central->kept);
  else
    hp_heap_shrink_records(&central->records, bytes / central->slot);
}

void hp_primary_tighten(void) {
  for (unsigned c = 0; c < HP_CLASS_COUNT; c++)
    tighten(&centrals[HP_PROFILED][c], hp_primary_bytes(c, HP_PROFILED));
  for (unsigned c = 0; c < HP_PLAIN_CLASS_COUNT; c++)
    tighten(&centrals[HP_PLAIN][c], hp_primary_bytes(c, HP_PLAIN));
  for (unsigned c = 0; c < HP_BARE_CLASS_COUNT; c++)
    tighten(&centrals[HP_BARE][c], hp_primary_bytes(c, HP_BARE));
}
