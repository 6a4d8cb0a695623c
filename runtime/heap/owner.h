/* owner.h - from an address to its chunk record: constant time, no lock, no
   search.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_OWNER_H
#define HP_OWNER_H

#include "heap/primary.h"
#include "heap/secondary.h"

/* Where an address lies: its record (NULL: in the range, but in no slot ever
   used), and the bytes from the slot's start and to its end. */
struct hp_owner {
  struct hp_chunk *chunk;
  uint64_t offset;
  uint64_t slot_rest;
};

/* P is in the range, and the program accesses it. */
HP_INLINE struct hp_owner hp_owner_of(const void *p) {
  uintptr_t address = (uintptr_t)p;
  unsigned shift = (unsigned)(address >> HP_REGION_SHIFT);
  uint64_t slot = (uint64_t)1 << shift, from_start = address & (slot - 1);
  return (struct hp_owner){hp_heap_record(address, shift), from_start,
                           slot - from_start};
}

/* The bits of P that say where its slot begins, by the table that instrumented code
   has just looked at (hook_abi.h): without the register that a shift needs.  0:
   not in the range. */
HP_INLINE uintptr_t hp_owner_mask(const void *p) {
  const intptr_t region = (intptr_t)p >> HP_REGION_SHIFT;
  return hp_heap_masks[HP_MASK_COUNT / 2 + region];
}

/* The record of any P, or NULL. */
HP_INLINE struct hp_chunk *hp_owner_by_mask(const void *p) {
  return (struct hp_chunk *)((uintptr_t)p & hp_owner_mask(p));
}

/* hp_owner_of() for any address of the range, in use or not: for free and for
   libc's ranges, whose pointers the program may never have dereferenced. */
HP_INLINE struct hp_owner hp_owner_checked(const void *p) {
  unsigned shift = (unsigned)((uintptr_t)p >> HP_REGION_SHIFT);
  unsigned size_class = shift - HP_CLASS_MIN_SHIFT;
  uint64_t used = size_class < HP_CLASS_COUNT
                      ? hp_primary_bytes(size_class, HP_PROFILED)
                      : hp_secondary_bytes(size_class, HP_PROFILED);
  return (uintptr_t)p - hp_heap_class_base(size_class) < used
             ? hp_owner_of(p)
             : (struct hp_owner){NULL, 0, 0};
}

/* Whether P is in a slot of the primary that was ever used. */
HP_INLINE bool hp_owner_is_small(const void *p) {
  unsigned shift = (unsigned)((uintptr_t)p >> HP_REGION_SHIFT);
  unsigned size_class = shift - HP_CLASS_MIN_SHIFT;
  return HP_LIKELY(size_class < HP_CLASS_COUNT) &&
         HP_LIKELY((uintptr_t)p - hp_heap_class_base(size_class) <
                   hp_primary_bytes(size_class, HP_PROFILED));
}

/* Slots of any class that were ever used. */
HP_INLINE uint64_t hp_owner_slots(unsigned size_class) {
  return size_class < HP_CLASS_COUNT
             ? hp_primary_slots(size_class)
             : hp_secondary_slots(size_class, HP_PROFILED);
}

#endif
