/* owner.h - from an address to its chunk record: constant time, no lock, no
   search. For a large chunk one more load, from the table of granules.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_OWNER_H
#define HP_OWNER_H

#include "primary.h"
#include "secondary.h"

/* Where an address lies: its record (NULL: in the range, but in no slot ever
   used), and the bytes from the chunk's start and to the slot's end. */
struct hp_owner {
  struct hp_chunk *chunk;
  uint64_t offset;
  uint64_t slot_rest;
};

HP_INLINE bool hp_heap_offset(const void *p, uintptr_t *offset) {
  *offset = (uintptr_t)p - hp_heap.base;
  return *offset < hp_heap.data_size;
}

/* OFFSET is that of an address in the range.  Small: about 24 instructions. */
HP_INLINE struct hp_owner hp_owner_of(uintptr_t offset) {
  unsigned size_class = (unsigned)(offset >> hp_heap.region_shift);
  if (HP_UNLIKELY(size_class >= HP_CLASS_COUNT)) {
    uint32_t number = __atomic_load_n(
        &hp_heap.large_numbers[hp_granule_of(offset)], __ATOMIC_RELAXED);
    if (!number)
      return (struct hp_owner){NULL, 0, 0};
    const struct hp_large *large = hp_large_of(number);
    uint64_t from_start = hp_heap.base + offset - large->start;
    return (struct hp_owner){&hp_heap.large_records[number], from_start,
                             large->slot_size - from_start};
  }
  unsigned shift = hp_heap_slot_shift(size_class);
  uint64_t in_region = offset & (((uintptr_t)1 << hp_heap.region_shift) - 1);
  uint64_t from_start = in_region & (((uint64_t)1 << shift) - 1);
  return (struct hp_owner){hp_heap_class_records(size_class) +
                               (in_region >> shift),
                           from_start, ((uint64_t)1 << shift) - from_start};
}

/* The same for any address of the range, in use or not: for free and for
   libc's ranges, whose pointers the program may never have dereferenced. */
HP_INLINE struct hp_owner hp_owner_checked(uintptr_t offset) {
  unsigned size_class = (unsigned)(offset >> hp_heap.region_shift);
  if (size_class < HP_CLASS_COUNT) {
    uint64_t in_region = offset & (((uintptr_t)1 << hp_heap.region_shift) - 1);
    if (in_region >> hp_heap_slot_shift(size_class) >=
        hp_primary_slots(size_class))
      return (struct hp_owner){NULL, 0, 0};
  }
  return hp_owner_of(offset);
}

#endif
