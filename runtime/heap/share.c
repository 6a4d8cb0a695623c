/* share.c - see share.h: areas are given out and grow with the heap.
   An area is there for every slot in use, so that who looks need not ask.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "heap/share.h"
#include "heap/owner.h"
#include "system/clock.h"
#include "system/sanitizer_binding.h"

HP_THREAD_LOCAL uintptr_t hp_share_own_area;

_Static_assert(HP_SHARE_AREAS <= 64, "bits of hp_others.areas");

/* Where address space is limited. */
#define FEW_AREAS 2u

/* Changed by who has the locks of all classes; an area that could not be had is
   given to nobody. */
static struct hp_arena arenas[HP_SHARE_AREAS][HP_ALL_CLASS_COUNT];
static unsigned begun;
static uint64_t given;

static bool commit(unsigned number, unsigned size_class, uint64_t slots) {
  return hp_arena_commit(&arenas[number][size_class],
                         slots * sizeof(struct hp_chunk));
}

void hp_share_tighten(void) {
  for (uint64_t rest = given; rest; rest &= rest - 1)
    for (unsigned c = 0; c < HP_ALL_CLASS_COUNT; c++)
      hp_heap_shrink_record_arena(&arenas[__builtin_ctzll(rest)][c],
                                  hp_owner_slots(c) * sizeof(struct hp_chunk));
}

bool hp_share_is_given(unsigned number) { return given >> number & 1; }

bool hp_share_commit(unsigned size_class, uint64_t slots) {
  for (uint64_t rest = given; rest; rest &= rest - 1)
    if (!commit((unsigned)__builtin_ctzll(rest), size_class, slots))
      return false;
  return true;
}

static bool map_area(unsigned number) {
  const uintptr_t area = HP_AREAS_BASE + number * HP_RECORDS_DISTANCE;
  if (hp_heap_reserved && !hp_sys_reserve_at((void *)area, HP_RECORDS_DISTANCE))
    return false;
  if (!hp_heap_commit_shared(area))
    return false;
  for (unsigned c = 0; c < HP_ALL_CLASS_COUNT; c++) {
    arenas[number][c] = hp_heap_record_arena(c, area - HP_RECORDS_BASE);
    if (!commit(number, c, hp_owner_slots(c)))
      return false;
  }
  return true;
}

uintptr_t hp_share_new_area(void) {
  uintptr_t area = 0;
  uint64_t mask;
  hp_sys_block_signals(&mask);
  hp_secondary_lock();
  hp_primary_lock();
  const unsigned most = hp_heap_reserved ? HP_SHARE_AREAS : FEW_AREAS;
  while (!area && begun < most) {
    const unsigned number = begun++;
    if (!map_area(number))
      continue;
    given |= (uint64_t)1 << number;
    area = HP_AREAS_BASE + number * HP_RECORDS_DISTANCE;
  }
  hp_primary_unlock();
  hp_secondary_unlock();
  hp_sys_restore_signals(&mask);
  return area;
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
  const uint64_t bit = (uint64_t)1
                       << (area - HP_AREAS_BASE) / HP_RECORDS_DISTANCE;
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
