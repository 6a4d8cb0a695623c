/* slot_class.h - classes whose slots are no powers of two, those of plain and of
   bare chunks: from an address in a class to the number of its slot.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SLOT_CLASS_H
#define HP_SLOT_CLASS_H

#include "heap/bare_range.h"

/* FACTOR: 2^64 / slot, rounded up.  Of an offset below 2^36 by it the upper half is
   the number of the slot; the lower half is less than the factor where the offset is
   that of a slot's first byte, as slots have at most 2^16 bytes. */
struct hp_slot_class {
  uint64_t factor;
  uintptr_t base; /* of the first slot */
  uintptr_t kept; /* of it: a plain class's size words, a bare one's records */
  uint64_t slot;  /* hp_plain_slot_size(), hp_bare_slot_size() */
};
extern HP_HIDDEN const struct hp_slot_class
    hp_plain_classes[HP_PLAIN_CLASS_COUNT];
extern HP_HIDDEN const struct hp_slot_class
    hp_bare_classes[HP_BARE_CLASS_COUNT];

struct hp_slot_place {
  uint64_t number;
  bool is_start; /* of the slot */
};

/* OFFSET: from the class's first slot on. */
HP_INLINE struct hp_slot_place hp_slot_place(const struct hp_slot_class *of,
                                             uintptr_t offset) {
  const unsigned __int128 product = (unsigned __int128)offset * of->factor;
  return (struct hp_slot_place){(uint64_t)(product >> 64),
                                (uint64_t)product < of->factor};
}

/* A plain class's, one for each slot: the bytes of its chunk and 1; 0: it has
   none. */
HP_INLINE uint16_t *hp_plain_size_words(const struct hp_slot_class *of) {
  return (uint16_t *)of->kept;
}

#endif
