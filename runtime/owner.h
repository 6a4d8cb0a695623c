/* owner.h - from an address to its chunk record: constant time, no lock, no
   search, no load.
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

/* OFFSET is that of an address in the range that the program accesses. */
HP_INLINE struct hp_owner hp_owner_of(uintptr_t offset) {
  unsigned shift = (unsigned)(offset >> HP_REGION_SHIFT);
  uint64_t slot = (uint64_t)1 << shift, from_start = offset & (slot - 1);
  return (struct hp_owner){hp_heap_record(offset, shift), from_start,
                           slot - from_start};
}

/* The same for any address of the range, in use or not: for free and for
   libc's ranges, whose pointers the program may never have dereferenced. */
HP_INLINE struct hp_owner hp_owner_checked(uintptr_t offset) {
  unsigned shift = (unsigned)(offset >> HP_REGION_SHIFT);
  if (shift < HP_CLASS_MIN_SHIFT)
    return (struct hp_owner){NULL, 0, 0};
  unsigned size_class = shift - HP_CLASS_MIN_SHIFT;
  uintptr_t in_region = offset & (((uintptr_t)1 << HP_REGION_SHIFT) - 1);
  uint64_t slots = size_class < HP_CLASS_COUNT
                       ? hp_primary_slots(size_class)
                       : hp_secondary_slots(size_class, HP_PROFILED);
  return in_region >> shift < slots ? hp_owner_of(offset)
                                    : (struct hp_owner){NULL, 0, 0};
}

#endif
