/* bare_access.h - what libc's functions do to chunks of a process without hooks:
   what goes beyond one is noted, and what is read of one that was copied.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_BARE_ACCESS_H
#define HP_BARE_ACCESS_H

#include "chunk/bare_chunk.h"
#include "chunk/growth.h"
#include "heap/chunk.h"

/* The source of a copy is read again: then that was no move. */
HP_INLINE void hp_bare_note_read(uintptr_t start) {
  struct hp_thread *self = hp_thread_self;
  const struct hp_chunk *name = (const struct hp_chunk *)start;
  struct hp_growth_copy *copy =
      HP_LIKELY(self != NULL) ? hp_growth_copy_of(&self->growth, name) : NULL;
  if (copy && HP_UNLIKELY(copy->from == name))
    copy->reads = 1;
}

/* KIND is done to N > 0 bytes from P on, in the range.  Bytes requested for the
   live chunk that they begin in; UINT64_MAX if there is none. */
HP_INLINE uint64_t hp_bare_access(const void *p, size_t n, int kind,
                                  uintptr_t pc) {
  const struct hp_bare_slot slot = hp_bare_slot_of(p);
  if (HP_UNLIKELY(!slot.record))
    return UINT64_MAX;
  const uint64_t word = __atomic_load_n(&slot.record->word, __ATOMIC_RELAXED),
                 size = hp_bare_size_of(word),
                 end = (uintptr_t)p - slot.start + n;
  if (HP_UNLIKELY(!(word & HP_RECORD_LIVE)))
    return UINT64_MAX;
  if (HP_UNLIKELY(end > size))
    hp_bare_note_overrun(slot.record, end - size, kind, pc);
  if (kind & HP_ACCESS_READ)
    hp_bare_note_read(slot.start);
  return size;
}

#endif
