/* arena.h - an array that grows in place: reserved once, given pages step by
   step. Never moves and never shrinks, so that readers need no lock.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_ARENA_H
#define HP_ARENA_H

#include "system/platform.h"

struct hp_arena {
  char *base;
  size_t reserved;  /* bytes of address space */
  size_t committed; /* bytes that may be touched */
  size_t used;      /* bytes handed out */
  bool dense;       /* all of it will be touched, and soon */
};

/* No arena reserves more, unless that is the least it needs. */
extern size_t hp_arena_most;

/* Reserves WANTED bytes, or as large a part of it (halved again and again, but
   not below LEAST) as the system grants.  False if not even that. */
bool hp_arena_reserve(struct hp_arena *arena, size_t wanted, size_t least);

/* The next SIZE bytes, zeroed, a multiple of 8; NULL if there are none left. */
void *hp_arena_take(struct hp_arena *arena, size_t size);

/* Makes the first SIZE bytes touchable; false if refused.  For arenas that are
   indexed instead of taken from. */
bool hp_arena_commit(struct hp_arena *arena, size_t size);

#endif
