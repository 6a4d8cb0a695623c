/* share.h - what a thread does to chunks that others allocated: it writes to an
   area of its own, where a chunk's record is found by arithmetic.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SHARE_H
#define HP_SHARE_H

#include "heap/heap.h"

/* A share is an hp_chunk without a guard, in the area (heap.h) of one thread,
   which writes it as plainly as others the chunk's own record, by hooks too.
   Its `thread` is 0 as long as there is none, then HP_SHARE_CLAIMED, and
   HP_THREAD_EXACT as in the chunk's.  hp_others.areas says which areas have
   one.  A thread that begins goes on with the area of one that ended, as if it
   were that. */
#define HP_SHARE_CLAIMED ((uint16_t)1)

/* The calling thread's area; 0: none yet. */
extern HP_THREAD_LOCAL uintptr_t hp_share_own_area;

HP_INLINE struct hp_chunk *hp_share_in(uintptr_t area, uintptr_t address) {
  return (struct hp_chunk *)area + (address >> (address >> HP_REGION_SHIFT));
}

/* The calling thread's share in CHUNK, of which it has none, begins with an
   access.  NULL: a handler interrupted its thread here. */
struct hp_chunk *hp_share_claim(uintptr_t area, const struct hp_chunk *chunk);

/* A thread that did not allocate CHUNK accesses it NOW, maybe as the first. */
void hp_share_note_first(const struct hp_chunk *chunk, uint64_t now);

/* Calls of this in turn give all shares in CHUNK; *AREAS is hp_others.areas at
   first.  NULL: no more. */
HP_INLINE struct hp_chunk *hp_share_next(const struct hp_chunk *chunk,
                                         uint64_t *areas) {
  if (!*areas)
    return NULL;
  unsigned number = (unsigned)__builtin_ctzll(*areas);
  *areas &= *areas - 1;
  return hp_share_in(hp_heap_area(number), (uintptr_t)chunk);
}

/* CHUNK ends. */
void hp_share_end(const struct hp_chunk *chunk);

/* The first SLOTS slots of a class may be used, once this has returned true.
   The caller has the lock of the class. */
bool hp_share_commit(unsigned size_class, uint64_t slots);

/* For who gives areas out (area.h), with the locks of all classes: the records
   of a class in area NUMBER; the same as above for one area; it is in use. */
struct hp_arena *hp_share_arena(unsigned number, unsigned size_class);
bool hp_share_commit_in(unsigned number, unsigned size_class, uint64_t slots);
void hp_share_give(unsigned number);
bool hp_share_is_given(unsigned number);
unsigned hp_share_areas(void); /* that are in use */

#endif
