/* area.c - see area.h: an area that could not be had is given to nobody.
   By who has the locks of all classes.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "heap/area.h"

#include "heap/owner.h"
#include "heap/share.h"
#include "system/memory.h"
#include "system/signal_mask.h"

/* Where address space is limited. */
#define FEW_AREAS 2u

static unsigned begun;

void hp_share_tighten(void) {
  for (unsigned number = 0; number < HP_SHARE_AREAS; number++)
    for (unsigned c = 0; hp_share_is_given(number) && c < HP_ALL_CLASS_COUNT;
         c++)
      hp_heap_shrink_record_arena(hp_share_arena(number, c),
                                  hp_owner_slots(c) * sizeof(struct hp_chunk));
}

static bool map_area(unsigned number) {
  const uintptr_t area = hp_heap_area(number);
  if (hp_heap_reserved && !hp_sys_reserve_at((void *)area, HP_RECORDS_DISTANCE))
    return false;
  if (!hp_heap_commit_shared(area))
    return false;
  for (unsigned c = 0; c < HP_ALL_CLASS_COUNT; c++) {
    *hp_share_arena(number, c) =
        hp_heap_record_arena(c, (ptrdiff_t)(area - HP_RECORDS_BASE));
    if (!hp_share_commit_in(number, c, hp_owner_slots(c)))
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
    hp_share_give(number);
    area = hp_heap_area(number);
  }
  hp_primary_unlock();
  hp_secondary_unlock();
  hp_sys_restore_signals(&mask);
  return area;
}
