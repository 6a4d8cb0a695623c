/* secondary.h - chunks above 64 KiB: slots of a power of two as well, of which
   only the pages that are touched take memory; given back when freed, or later.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SECONDARY_H
#define HP_SECONDARY_H

#include "heap/heap.h"

/* Where memory is limited, a large chunk stays where it is as long as this part of
   its slot is enough. */
#define HP_GRANULE ((size_t)1 << 16)
#define HP_PAGE ((size_t)4096) /* the least that the system takes back */

HP_INLINE bool hp_chunk_is_large(const struct hp_chunk *chunk) {
  return hp_chunk_class(chunk) >= HP_CLASS_COUNT;
}

/* Arrays that are walked side by side would have like addresses in all slots of
   a class, and get into each other's way: in caches that go by bits above the
   page, too.  So chunks of so many bytes begin at places that differ by some
   pages from slot to slot, as far as the slot has room.  That of the record
   then is a page more.  Not where memory was limited when the program began. */
#define HP_COLOURED_MIN ((size_t)256 << 10)

extern bool hp_large_are_tight;

/* A small chunk that is to have pages of its own gets a slot here and begins so
   many bytes into it, at a page, as no other chunk does (chunk/page_sample.h). */
#define HP_APART_FRONT (HP_PAGE + HP_COLOUR)
#define HP_APART_MAX HP_COLOURED_MIN /* and more: none is */

/* Whether a chunk in a slot of these, with such a WORD, is one. */
HP_INLINE bool hp_is_apart(uint64_t word) {
  return word >> HP_RECORD_FRONT_SHIFT == hp_front_code(HP_APART_FRONT) &&
         (word & HP_SIZE_MAX) < HP_APART_MAX;
}

/* Bytes ahead of the large chunk of SIZE bytes in the slot of CHUNK. */
HP_INLINE size_t hp_large_front(const struct hp_chunk *chunk, size_t size,
                                size_t alignment) {
  size_t front = hp_front_for(size, alignment);
  if (size < HP_COLOURED_MIN || front > HP_COLOURED_ALIGNMENT ||
      hp_large_are_tight)
    return front;
  unsigned shift = hp_chunk_shift(chunk);
  size_t room = ((size_t)1 << shift) - front - size;
  size_t colour = (((uintptr_t)chunk >> shift) + shift) % HP_COLOURS;
  return front + colour % (room / HP_COLOUR + 1) * HP_COLOUR;
}

/* Bytes of its slot that SIZE bytes, of a large chunk and what is ahead of it, take
   there. */
size_t hp_large_extent(size_t size);

void hp_secondary_start(void);
/* The pages of profiled chunks shall be small ones; not where memory is limited
   when the program begins. */
void hp_secondary_refuse_huge(void);

/* A slot for SIZE bytes at a multiple of ALIGNMENT, memory zeroed unless it is
   warm (warm_slots.h); NULL if there is no room.  In the plain range, too, it is
   named by the address of the record in the profiled one. */
struct hp_chunk *hp_secondary_take(size_t size, size_t alignment,
                                   enum hp_range range);
/* The chunk in it, whose record had that WORD, has ended. */
void hp_secondary_give(struct hp_chunk *chunk, enum hp_range range,
                       uint64_t word);
/* Gives back what a warm slot has, in which no chunk has begun. */
void hp_secondary_cool(const struct hp_chunk *chunk, enum hp_range range);
/* Gives back what free slots have; false: they had nothing. */
bool hp_secondary_trim(void);
/* Memory was not limited and is now: what free slots have, and profiled chunks
   beyond their end, is given back.  No thread is in the allocator; with the
   lock. */
void hp_secondary_tighten(void);
/* Whether the live chunk whose record has that WORD may have SIZE bytes in the same
   slot: then nothing is copied.  libc copies nothing of so large ones, either. */
bool hp_secondary_fits(const struct hp_chunk *chunk, uint64_t word,
                       size_t size);
/* It has them now; the pages behind them are given back. */
void hp_secondary_resized(const struct hp_chunk *chunk, enum hp_range range,
                          uint64_t word, size_t size);

/* Smallest class whose chunks libc would map each by itself. */
#define HP_MAPPED_CLASS (18u - HP_CLASS_MIN_SHIFT)
/* Chunks whose pages go back to the system: as what libc maps.  Counted
   in whole pages. */
struct hp_mapped_usage {
  uint64_t chunks, bytes;           /* now */
  uint64_t most_chunks, most_bytes; /* ever */
};
struct hp_mapped_usage hp_secondary_mapped(void);

/* Bytes of the region of a class from HP_CLASS_COUNT on whose slots were ever
   used: their records are readable. */
extern uint64_t hp_secondary_used[HP_RANGES][HP_ALL_CLASS_COUNT];
HP_INLINE uint64_t hp_secondary_bytes(unsigned size_class,
                                      enum hp_range range) {
  return __atomic_load_n(&hp_secondary_used[range][size_class],
                         __ATOMIC_ACQUIRE);
}

/* Slots of such a class that were ever used. */
HP_INLINE uint64_t hp_secondary_slots(unsigned size_class,
                                      enum hp_range range) {
  return hp_secondary_bytes(size_class, range) >>
         hp_heap_slot_shift(size_class);
}

void hp_secondary_lock(void); /* around fork */
void hp_secondary_unlock(void);
void hp_secondary_forget_free(void); /* those slots are not used any more */

#endif
