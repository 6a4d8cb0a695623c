/* ahead_words.h - words that point ahead of a chunk and may mean it.
   What is numbered from N on, as the blocks of a table of which each has as many elements as all
   before, may be kept as where number 0 were: as far ahead of the chunk as it has bytes; or an
   element ahead, where numbers begin with 1.  A word that points there, and to no other chunk, is a
   pointer to it.  So is one beside which there is that of a block half as large or twice.  Else,
   where it points into another chunk and not to an end of that, it is unknown which of the two is
   meant.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_AHEAD_WORDS_H
#define HP_AHEAD_WORDS_H

#include "leak/leak_slot.h"

struct hp_ahead {
  uintptr_t number_0, start; /* of a chunk */
};
struct hp_ahead_words {
  struct hp_ahead *list; /* the caller's memory: one for each hp_ahead_add() */
  size_t count;
  uintptr_t lowest, highest; /* such words */
  /* SLOT may be meant by ADDRESS. */
  void (*mean)(const struct slot *slot, uintptr_t address, bool is_known);
};

void hp_ahead_add(struct hp_ahead_words *words, const struct slot *slot);
/* When all are there. */
void hp_ahead_sort(struct hp_ahead_words *words);
/* Calls MEAN for words from BEGIN to END; ARG: struct hp_ahead_words. */
void hp_ahead_look(uintptr_t begin, uintptr_t end, void *arg);

#endif
