/* primary.c - the central lists behind the caches: lock and frontier.
   Slots move between cache and list in batches, so that the lock is rare.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "primary.h"
#include "arena.h"
#include "sanitizer_binding.h"

#define HP_BATCH 64u               /* slots moved at once */
#define HP_BATCH_BYTES (64u << 10) /* but no more than that of fresh memory */

struct central {
  _Alignas(HP_CACHE_LINE) struct hp_lock lock;
  struct hp_chunk *head;
  uint64_t slots;          /* slots below the frontier */
  struct hp_arena memory;  /* the class's region */
  struct hp_arena records; /* its records */
  struct hp_arena foreign; /* and their hp_foreign */
};
static struct central classes[HP_CLASS_COUNT];

void hp_primary_start(void) {
  for (unsigned c = 0; c < HP_CLASS_COUNT; c++) {
    size_t region = (size_t)1 << hp_heap.region_shift;
    size_t slots = region >> hp_heap_slot_shift(c);
    classes[c].memory = (struct hp_arena){
        (char *)(hp_heap.base + ((uintptr_t)c << hp_heap.region_shift)), region,
        0, 0};
    classes[c].records =
        (struct hp_arena){(char *)hp_heap_class_records(c),
                          slots * sizeof(struct hp_chunk), 0, 0};
    classes[c].foreign =
        (struct hp_arena){(char *)hp_foreign_of(hp_heap_class_records(c)),
                          slots * sizeof(struct hp_foreign), 0, 0};
  }
}

/* Links COUNT slots beyond the frontier into the central list, first slot
   first, as a program expects of fresh memory. */
static bool add_fresh(struct central *central, unsigned size_class,
                      uint32_t count) {
  size_t slot = (size_t)1 << hp_heap_slot_shift(size_class);
  while (count > 1 && count * slot > HP_BATCH_BYTES)
    count /= 2;
  if (!hp_arena_commit(&central->memory, (central->slots + count) * slot) ||
      !hp_arena_commit(&central->records,
                       (central->slots + count) * sizeof(struct hp_chunk)) ||
      !hp_arena_commit(&central->foreign,
                       (central->slots + count) * sizeof(struct hp_foreign)))
    return false;
  struct hp_chunk *first = hp_heap_class_records(size_class) + central->slots;
  for (uint32_t i = count; i-- > 0;) {
    first[i].t0 = (uintptr_t)central->head;
    central->head = &first[i];
  }
  __atomic_store_n(&central->slots, central->slots + count, __ATOMIC_RELEASE);
  return true;
}

bool hp_primary_refill(struct hp_cache *cache, unsigned size_class) {
  struct central *central = &classes[size_class];
  hp_lock_take(&central->lock);
  if (central->head || add_fresh(central, size_class, HP_BATCH)) {
    struct hp_chunk *last = central->head;
    cache->head = last;
    cache->count = 1;
    while (cache->count < HP_BATCH && hp_chunk_next(last)) {
      last = hp_chunk_next(last);
      cache->count++;
    }
    central->head = hp_chunk_next(last);
    last->t0 = 0;
  }
  hp_lock_release(&central->lock);
  return cache->head != NULL;
}

void hp_primary_drain(struct hp_cache *cache, unsigned size_class,
                      uint32_t keep) {
  if (cache->count <= keep)
    return;
  struct hp_chunk *first = cache->head, *last = first;
  for (uint32_t i = cache->count - keep; i > 1; i--)
    last = hp_chunk_next(last);
  cache->head = hp_chunk_next(last);
  cache->count = keep;
  struct central *central = &classes[size_class];
  hp_lock_take(&central->lock);
  last->t0 = (uintptr_t)central->head;
  central->head = first;
  hp_lock_release(&central->lock);
}

uint64_t hp_primary_slots(unsigned size_class) {
  return __atomic_load_n(&classes[size_class].slots, __ATOMIC_ACQUIRE);
}

void hp_primary_lock(void) {
  for (unsigned c = 0; c < HP_CLASS_COUNT; c++)
    hp_lock_take(&classes[c].lock);
}

void hp_primary_unlock(void) {
  for (unsigned c = HP_CLASS_COUNT; c-- > 0;)
    hp_lock_release(&classes[c].lock);
}
