/* share.c - see share.h: areas grow with the heap, and shares begin and end.
   An area is there for every slot in use, so that who looks need not ask.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "heap/share.h"

#include "system/clock.h"

HP_THREAD_LOCAL uintptr_t hp_share_own_area;

_Static_assert(HP_SHARE_AREAS <= 64, "bits of hp_others.areas");

/* Changed by who has the locks of all classes; an area that could not be had is
   given to nobody. */
static struct hp_arena arenas[HP_SHARE_AREAS][HP_ALL_CLASS_COUNT];
static uint64_t given;

bool hp_share_commit_in(unsigned number, unsigned size_class, uint64_t slots) {
  return hp_arena_commit(&arenas[number][size_class],
                         slots * sizeof(struct hp_chunk));
}

struct hp_arena *hp_share_arena(unsigned number, unsigned size_class) {
  return &arenas[number][size_class];
}

void hp_share_give(unsigned number) { given |= (uint64_t)1 << number; }
bool hp_share_is_given(unsigned number) { return given >> number & 1; }
unsigned hp_share_areas(void) {
  unsigned areas = 0;
  for (uint64_t rest = __atomic_load_n(&given, __ATOMIC_RELAXED); rest;
       rest &= rest - 1)
    areas++;
  return areas;
}

bool hp_share_commit(unsigned size_class, uint64_t slots) {
  for (uint64_t rest = given; rest; rest &= rest - 1)
    if (!hp_share_commit_in((unsigned)__builtin_ctzll(rest), size_class, slots))
      return false;
  return true;
}

void hp_share_note_first(const struct hp_chunk *chunk, uint64_t now) {
  uint64_t *first = &hp_others_of(chunk)->first;
  uint64_t seen = __atomic_load_n(first, __ATOMIC_RELAXED);
  while ((!seen || now < seen) &&
         !__atomic_compare_exchange_n(first, &seen, now, true, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED))
    ;
}

struct hp_chunk *hp_share_claim(uintptr_t area, const struct hp_chunk *chunk) {
  const uint64_t bit = (uint64_t)1 << hp_heap_area_number(area);
  uint64_t *areas = &hp_others_of(chunk)->areas;
  if (__atomic_fetch_or(areas, bit, __ATOMIC_RELAXED) & bit)
    return NULL;
  struct hp_chunk *share = hp_share_in(area, (uintptr_t)chunk);
  const uint16_t exact = chunk->thread & HP_THREAD_EXACT;
  share->lo = UINT32_MAX;
  hp_share_note_first(chunk, hp_clock_now());
  __atomic_store_n(&share->thread, HP_SHARE_CLAIMED | exact, __ATOMIC_RELEASE);
  return share;
}

void hp_share_end(const struct hp_chunk *chunk) {
  struct hp_others *others = hp_others_of(chunk);
  uint64_t areas = others->areas;
  struct hp_chunk *share;
  while ((share = hp_share_next(chunk, &areas)))
    *share = (struct hp_chunk){0};
  others->areas = others->first = 0;
}
