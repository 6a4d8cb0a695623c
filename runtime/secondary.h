/* secondary.h - chunks above 64 KiB: granules, given back when freed.
   Every granule knows its chunk's number: no search and no lock for an owner.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SECONDARY_H
#define HP_SECONDARY_H

#include "heap.h"

/* What a large chunk has beside its record.
     +0   u64 start      address
     +8   u64 slot_size  bytes, whole granules; 0 = number is free
     +16  u64 lo         accessed bytes [lo, hi) if HP_RECORD_HUGE
     +24  u64 hi */
struct hp_large {
  uint64_t start;
  uint64_t slot_size;
  uint64_t lo;
  uint64_t hi;
};
_Static_assert(sizeof(struct hp_large) == 32, "layout");

extern struct hp_large *hp_larges; /* by number, from 1 */

HP_INLINE struct hp_large *hp_large_of(uint32_t number) {
  return &hp_larges[number];
}

HP_INLINE struct hp_large *hp_large_of_chunk(const struct hp_chunk *chunk) {
  return hp_large_of((uint32_t)(chunk - hp_heap.large_records));
}

HP_INLINE bool hp_chunk_is_large(const struct hp_chunk *chunk) {
  return chunk >= hp_heap.large_records;
}

HP_INLINE size_t hp_granule_of(uintptr_t offset) {
  return (offset - ((uintptr_t)HP_CLASS_COUNT << hp_heap.region_shift)) >>
         HP_GRANULE_SHIFT;
}

bool hp_secondary_start(void);

/* A record for SIZE bytes at a multiple of ALIGNMENT, memory zeroed; NULL if
   there is no room. */
struct hp_chunk *hp_secondary_take(size_t size, size_t alignment);
void hp_secondary_give(struct hp_chunk *chunk);

/* Numbers are 1 .. count; those with slot_size 0 are not in use. */
uint32_t hp_secondary_count(void);
void hp_secondary_lock(void);
void hp_secondary_unlock(void);

#endif
