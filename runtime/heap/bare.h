/* bare.h - small chunks of a process without hooks (bare_range.h): whether there are
   any, and from an address to its record.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_BARE_H
#define HP_BARE_H

#include "heap/bare_range.h"
#include "heap/primary.h"
#include "heap/slot_class.h"

/* Small chunks are such: the program has no hooks, all chunks are profiled, and
   memory is not limited.  False from when a module with hooks is loaded. */
extern HP_HIDDEN bool hp_bare_is_on;
/* The range is there; once, at the start.  False: it cannot be had. */
bool hp_bare_reserve(void);
extern HP_HIDDEN bool hp_bare_has_range;

/* A slot that was ever used. */
struct hp_bare_slot {
  struct hp_bare *record; /* NULL: it is none */
  uintptr_t start;
};

/* The record of the slot of SIZE_CLASS in which P lies, which was used. */
HP_INLINE struct hp_bare *hp_bare_record_of(const void *p,
                                            unsigned size_class) {
  const struct hp_slot_class *of = &hp_bare_classes[size_class];
  return (struct hp_bare *)of->kept +
         hp_slot_place(of, (uintptr_t)p - of->base).number;
}

/* That in which P lies, of the range. */
HP_INLINE struct hp_bare_slot hp_bare_slot_of(const void *p) {
  const uintptr_t at = (uintptr_t)p;
  const unsigned size_class =
      (unsigned)((at - HP_BARE_BASE) >> HP_PLAIN_REGION_SHIFT);
  if (HP_UNLIKELY(size_class >= HP_BARE_CLASS_COUNT))
    return (struct hp_bare_slot){NULL, 0};
  const struct hp_slot_class *of = &hp_bare_classes[size_class];
  const uintptr_t offset = at - of->base;
  if (HP_UNLIKELY(offset >= hp_primary_bytes(size_class, HP_BARE)))
    return (struct hp_bare_slot){NULL, 0};
  const uint64_t number = hp_slot_place(of, offset).number;
  if (!of->kept) /* slots have records: who asks for one need not look again */
    __builtin_unreachable();
  return (struct hp_bare_slot){(struct hp_bare *)of->kept + number,
                               of->base + number * of->slot};
}

/* The record of the live chunk that begins at P, of the range, or NULL. */
HP_INLINE struct hp_bare *hp_bare_at(const void *p) {
  const struct hp_bare_slot slot = hp_bare_slot_of(p);
  return HP_LIKELY(slot.record != NULL) &&
                 HP_LIKELY(slot.start == (uintptr_t)p) &&
                 HP_LIKELY(slot.record->word & HP_RECORD_LIVE)
             ? slot.record
             : NULL;
}

HP_INLINE uint64_t hp_bare_slots(unsigned size_class) {
  return hp_primary_bytes(size_class, HP_BARE) / hp_bare_slot_size(size_class);
}

#endif
