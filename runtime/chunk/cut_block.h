/* cut_block.h - a chunk that the program cuts up into objects: where these begin,
   in order of address.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_CUT_BLOCK_H
#define HP_CUT_BLOCK_H

#include "heap/heap.h"

/* Objects that begin within the same HP_CUT_GRANULE bytes are a list, known by
   its first number.  Which granules have one is said by bits, 64 to a word, and
   which words are not 0 by bits of the next level, up to one word: so what lies
   ahead of an address, or behind it, is found by a few words, however large the
   chunk.  Memory: 4 bytes for each granule, of which only pages are touched
   where objects begin, and a 60th of that for the bits.

   Who changes one has the lock of pooled.c.  Who only looks needs none: memory of
   one is never given back but for another, of the same capacity. */
#define HP_CUT_GRANULE ((uint64_t)16)
#define HP_CUT_LEVELS 6u
#define HP_CUT_NONE UINT64_MAX
struct hp_cut_block {
  uintptr_t begin; /* of the chunk; 0: it is none now */
  uint64_t size;   /* bytes of it */
  const struct hp_chunk *chunk;
  uint32_t count;         /* live objects */
  uint64_t live, most;    /* bytes of these, now and at most */
  uint64_t last_end;      /* ticks; when the last one ended */
  uint64_t since;         /* ticks; up to when `area` is known */
  unsigned __int128 area; /* bytes of live objects times ticks */
  unsigned level_count;   /* these do not change */
  unsigned order;         /* 2^order granules */
  uint64_t *levels[HP_CUT_LEVELS];
  uint32_t *heads;
  struct hp_cut_block *next_free, *next; /* of all there are */
};

/* For a chunk of SIZE bytes at BEGIN; NULL: there is no memory. */
struct hp_cut_block *hp_cut_take(uintptr_t begin, uint64_t size,
                                 const struct hp_chunk *chunk);
/* No object is left in it. */
void hp_cut_give(struct hp_cut_block *block);
/* Of all that were ever taken the first; `next` leads on. */
struct hp_cut_block *hp_cut_first(void);

/* The list of GRANULE, counted from the chunk's start; 0: none begins there. */
uint32_t hp_cut_head(const struct hp_cut_block *block, uint64_t granule);
void hp_cut_set_head(struct hp_cut_block *block, uint64_t granule,
                     uint32_t head);
/* The last granule up to this one, or the first from it on, that has a list;
   HP_CUT_NONE: there is none. */
uint64_t hp_cut_before(const struct hp_cut_block *block, uint64_t granule);
uint64_t hp_cut_after(const struct hp_cut_block *block, uint64_t granule);

/* A chunk that is cut up has HP_RECORD_HUGE, so that all accesses go the long
   way, and HP_RECORD_MULTITHREAD, so that its end does; and in the place of a
   huge one's interval this, which is none, and where its block is. */
#define HP_CUT_MARK (UINT64_MAX - 1)
HP_INLINE struct hp_cut_block *hp_cut_of(const struct hp_chunk *chunk) {
  const struct hp_others *others = hp_others_of(chunk);
  if (HP_LIKELY(__atomic_load_n(&others->huge_lo, __ATOMIC_ACQUIRE) !=
                HP_CUT_MARK))
    return NULL;
  return (struct hp_cut_block *)others->huge_hi;
}

/* The same of a chunk with this WORD (chunk.h). */
HP_INLINE bool hp_cut_is(const struct hp_chunk *chunk, uint64_t word) {
  return HP_UNLIKELY(word & HP_RECORD_HUGE) && hp_cut_of(chunk);
}

/* CHUNK, which is cut up, is about to end, by CALLER: its objects end before it, and
   its own end is at last_event.  Set by pools.c when a window begins, which needs
   all that ends chunks. */
struct hp_thread;
extern HP_HIDDEN void (*hp_cut_end)(struct hp_thread *self,
                                    const struct hp_chunk *chunk,
                                    const struct hp_caller *caller);

#endif
