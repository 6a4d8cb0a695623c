/* arena.h - an array that grows in place: reserved once, given pages step by
   step. Never moves and never shrinks, so that readers need no lock.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_ARENA_H
#define HP_ARENA_H

#include "system/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

struct hp_arena {
  char *base;
  size_t reserved;  /* bytes of address space */
  size_t committed; /* bytes that may be touched */
  size_t used;      /* bytes handed out */
  bool dense;       /* all of it will be touched, and soon */
  bool ours;        /* not the program's: from hp_arena_reserve() */
};

/* They lie one behind the other in a range of their own, above the heap's
   (heap.h), so that what is not reserved there is nobody else's. */
#define HP_ARENAS_BASE ((uintptr_t)0x4e0000000000)
#define HP_ARENAS_END ((uintptr_t)0x540000000000)

/* Makes SIZE bytes 0, a multiple of 8, and writes only where they are not: a
   page of a variable that was never touched takes no memory by it. */
void hp_clear(void *p, size_t size);

/* Reserves WANTED bytes, or as large a part of it (halved again and again, but
   not below LEAST) as the system grants.  False if not even that.  Where
   address space is limited, WANTED bytes have their place and none is reserved.
 */
bool hp_arena_reserve(struct hp_arena *arena, size_t wanted, size_t least);

/* Gives its memory back: then it is empty, and can be reserved anew. */
void hp_arena_end(struct hp_arena *arena);

/* What is behind the first SIZE bytes can be touched no more, and does not
   count: with that lock, where memory is limited. */
void hp_arena_shrink(struct hp_arena *arena, size_t size);

/* Between these none grows.  For who grows one, whatever other locks it has,
   signals are blocked once the program has a handler. */
void hp_arenas_lock(void);
void hp_arenas_unlock(void);

/* The next SIZE bytes, zeroed, a multiple of 8; NULL if there are none left. */
void *hp_arena_take(struct hp_arena *arena, size_t size);

/* Makes the first SIZE bytes touchable; false if refused.  For arenas that are
   indexed instead of taken from. */
bool hp_arena_commit(struct hp_arena *arena, size_t size);

#ifdef __cplusplus
}
#endif
#endif
