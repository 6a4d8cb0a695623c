/* bare.c - see bare.h: where the range is, and how slots are numbered.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "heap/bare.h"

#include "system/limit.h"
#include "system/memory.h"

bool hp_bare_is_on, hp_bare_has_range;

bool hp_bare_reserve(void) {
  hp_bare_has_range = hp_heap_reserved && !hp_memory_is_limited() &&
                      hp_sys_reserve_at((void *)HP_BARE_BASE, HP_BARE_SIZE);
  return hp_bare_has_range;
}
