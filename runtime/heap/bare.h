/* bare.h - small chunks of a process without hooks (bare_range.h): whether there are
   any, and from an address to its record.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_BARE_H
#define HP_BARE_H

#include "heap/bare_range.h"
#include "heap/primary.h"

/* Small chunks are such: the program has no hooks, all chunks are profiled, and
   memory is not limited.  False from when a module with hooks is loaded. */
extern HP_HIDDEN bool hp_bare_is_on;
/* The range is there; once, at the start.  False: it cannot be had. */
bool hp_bare_reserve(void);
extern HP_HIDDEN bool hp_bare_has_range;

/* 2^64 / 16ths of a slot, rounded up: a number of 16ths below 2^32 by it, and of
   the product the upper half, is exact. */
extern HP_HIDDEN const uint64_t hp_bare_factors[HP_BARE_CLASS_COUNT];

/* A slot that was ever used. */
struct hp_bare_slot {
  struct hp_bare *record; /* NULL: it is none */
  uintptr_t start;
};

/* That in which P lies, of the range. */
HP_INLINE struct hp_bare_slot hp_bare_slot_of(const void *p) {
  const uintptr_t at = (uintptr_t)p;
  const unsigned size_class =
      (unsigned)((at - HP_BARE_BASE) >> HP_PLAIN_REGION_SHIFT);
  if (HP_UNLIKELY(size_class >= HP_BARE_CLASS_COUNT))
    return (struct hp_bare_slot){NULL, 0};
  const uintptr_t base = hp_bare_class_base(size_class);
  if (HP_UNLIKELY(at - base >= hp_primary_bytes(size_class, HP_BARE)))
    return (struct hp_bare_slot){NULL, 0};
  const uint64_t number = (uint64_t)((unsigned __int128)((at - base) / 16) *
                                         hp_bare_factors[size_class] >>
                                     64);
  return (struct hp_bare_slot){hp_bare_records(size_class) + number,
                               base + number * hp_plain_slot_size(size_class)};
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
  return hp_primary_bytes(size_class, HP_BARE) / hp_plain_slot_size(size_class);
}

#endif
