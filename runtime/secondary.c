/* secondary.c - large chunks: a list of free slots a class, one lock.
   They are rare and cost page faults anyway; only owner lookup must be fast.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "secondary.h"
#include "sanitizer_binding.h"

struct region {
  struct hp_chunk *head; /* free slots, linked through hp_chunk.t0 */
  uint64_t slots;        /* slots below the frontier */
  struct hp_record_arenas records;
};
static struct region regions[HP_ALL_CLASS_COUNT];
static struct hp_lock lock;

void hp_secondary_start(void) {
  for (unsigned c = HP_CLASS_COUNT; c < HP_ALL_CLASS_COUNT; c++) {
    regions[c] = (struct region){.records = hp_heap_record_arenas(c)};
  }
}

void hp_secondary_lock(void) { hp_lock_take(&lock); }
void hp_secondary_unlock(void) { hp_lock_release(&lock); }

uint64_t hp_secondary_slots(unsigned size_class) {
  return __atomic_load_n(&regions[size_class].slots, __ATOMIC_ACQUIRE);
}

/* A slot of the class with EXTENT bytes that can be touched. */
static struct hp_chunk *take_slot(unsigned size_class, size_t extent) {
  struct region *region = &regions[size_class];
  struct hp_chunk *chunk = region->head;
  uint64_t count = region->slots + 1;
  if (!chunk) {
    if (count > hp_heap_class_slots(size_class) ||
        !hp_heap_commit_records(&region->records, count))
      return NULL;
    chunk = hp_heap_class_records(size_class) + region->slots;
  }
  /* The whole slot, so that neighbours become one mapping: the system bears
     only so many.  Where address space is scarce, no more than is asked for. */
  size_t whole = (size_t)1 << hp_heap_slot_shift(size_class);
  if (!hp_sys_commit((void *)hp_chunk_slot(chunk, size_class),
                     hp_heap_reserved ? whole : extent))
    return NULL;
  if (region->head)
    region->head = (struct hp_chunk *)(uintptr_t)chunk->t0;
  else
    __atomic_store_n(&region->slots, count, __ATOMIC_RELEASE);
  return chunk;
}

struct hp_chunk *hp_secondary_take(size_t size, size_t alignment) {
  if (size > HP_SLOT_MAX || alignment > HP_SLOT_MAX)
    return NULL;
  struct hp_chunk *chunk = NULL;
  unsigned c = hp_size_class(size, alignment);
  uint64_t mask = hp_lock_take_held(&lock);
  /* The regions of the largest slots have few of them. */
  for (c = c > HP_CLASS_COUNT ? c : HP_CLASS_COUNT;
       !chunk && c < HP_ALL_CLASS_COUNT; c++)
    chunk = take_slot(c, hp_large_extent(size));
  hp_lock_release_held(&lock, mask);
  return chunk;
}

void hp_secondary_give(struct hp_chunk *chunk) {
  unsigned size_class = hp_chunk_class(chunk);
  void *slot = (void *)hp_chunk_slot(chunk, size_class);
  size_t whole = (size_t)1 << hp_heap_slot_shift(size_class);
  uint64_t mask = hp_lock_take_held(&lock);
  if (hp_heap_reserved)
    hp_sys_release(slot, whole);
  else
    hp_sys_unmap(slot, whole);
  chunk->t0 = (uintptr_t)regions[size_class].head;
  regions[size_class].head = chunk;
  hp_lock_release_held(&lock, mask);
}
