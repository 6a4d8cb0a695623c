/* ahead_words.c - see ahead_words.h: chunks in the order of where their number 0 were.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "leak/ahead_words.h"

#define ELEMENT_MOST 16u

void hp_ahead_add(struct hp_ahead_words *words, const struct slot *slot) {
  if (!slot->size)
    return;
  words->list[words->count++] =
      (struct hp_ahead){slot->start - slot->size, slot->start};
  if (words->highest < slot->start)
    words->highest = slot->start;
}

/* Most of it is in order. */
void hp_ahead_sort(struct hp_ahead_words *words) {
  struct hp_ahead *list = words->list;
  for (size_t gap = words->count / 2; gap; gap /= 2)
    for (size_t i = gap; i < words->count; i++) {
      const struct hp_ahead one = list[i];
      size_t at = i;
      for (; at >= gap && list[at - gap].number_0 > one.number_0; at -= gap)
        list[at] = list[at - gap];
      list[at] = one;
    }
  words->lowest = list[0].number_0;
}

/* Where the chunk begins whose number 0 were at ADDRESS; 0: there is none. */
static uintptr_t start_of(const struct hp_ahead_words *words,
                          uintptr_t address) {
  const struct hp_ahead *list = words->list;
  size_t low = 0;
  for (size_t high = words->count; low < high;) {
    const size_t middle = low + (high - low) / 2;
    if (list[middle].number_0 < address)
      low = middle + 1;
    else
      high = middle;
  }
  return low < words->count && list[low].number_0 == address ? list[low].start
                                                             : 0;
}

/* Whether WORD is that of a block half as large as SIZE or twice. */
static bool is_in_row(const struct hp_ahead_words *words, uint64_t word,
                      size_t size) {
  const uintptr_t address = word & ADDRESS_MASK,
                  start = start_of(words, address);
  return start &&
         (start - address == 2 * size || 2 * (start - address) == size);
}

static void mean(const struct hp_ahead_words *words, uintptr_t start,
                 uintptr_t address, bool is_known) {
  struct slot slot;
  if (hp_leak_find(&slot, start) && slot.start == start)
    words->mean(&slot, address, is_known);
}

static void look_at_word_ahead(const struct hp_ahead_words *words,
                               uint64_t word, uint64_t before,
                               uint64_t behind) {
  const uintptr_t address = word & ADDRESS_MASK;
  struct slot in;
  if (address - words->lowest > words->highest - words->lowest)
    return;
  const bool is_in = hp_leak_find(&in, address);
  for (uintptr_t size = 1; !is_in && size <= ELEMENT_MOST; size *= 2)
    mean(words, address + size, address, true);
  const uintptr_t start = start_of(words, address);
  if (!start)
    return;
  const bool is_known = !is_in || is_in_row(words, before, start - address) ||
                        is_in_row(words, behind, start - address);
  if (is_known || (in.start != address && in.start + in.size != address))
    mean(words, start, address, is_known);
}

void hp_ahead_look(uintptr_t begin, uintptr_t end, void *arg) {
  const uint64_t *first = (const uint64_t *)((begin + 7) & ~(uintptr_t)7),
                 *last = (const uint64_t *)(end & ~(uintptr_t)7) - 1;
  for (const uint64_t *at = first; at <= last; at++)
    look_at_word_ahead(arg, *at, at > first ? at[-1] : 0,
                       at < last ? at[1] : 0);
}
