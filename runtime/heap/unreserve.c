/* unreserve.c - see unreserve.h: what nobody can touch in the ranges that heap.h
   draws, as /proc/self/maps has it, was only reserved.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "heap/unreserve.h"

#include "heap/bare.h"
#include "heap/heap.h"
#include "heap/share.h"
#include "system/limit.h"
#include "system/memory.h"
#include "system/stopped_world.h"

/* The part of MAPPING that is between BEGIN and END. */
static void give_part(const struct hp_sys_mapping *mapping, uintptr_t begin,
                      uintptr_t end) {
  if (begin < mapping->begin)
    begin = mapping->begin;
  if (end > mapping->end)
    end = mapping->end;
  if (begin < end)
    hp_sys_unmap((void *)begin, end - begin);
}

static void give(const struct hp_sys_mapping *mapping, void *unused) {
  (void)unused;
  if (mapping->is_readable)
    return;
  give_part(mapping, HP_HEAP_BASE, HP_HEAP_BASE + hp_heap_bytes);
  give_part(mapping, HP_RECORDS_BASE, HP_RECORDS_END);
  give_part(mapping, HP_ARENAS_BASE, HP_ARENAS_END);
  if (hp_heap_has_plain)
    give_part(mapping, HP_PLAIN_BASE, HP_PLAIN_BASE + HP_PLAIN_SIZE);
  if (hp_bare_has_range)
    give_part(mapping, HP_BARE_BASE, HP_BARE_BASE + HP_BARE_SIZE);
  /* Others may have been given addresses between areas. */
  for (unsigned number = 0; number < HP_SHARE_AREAS; number++)
    if (hp_share_is_given(number))
      give_part(mapping, hp_heap_area(number),
                hp_heap_area(number) + HP_RECORDS_DISTANCE);
}

void hp_heap_unreserve(void) {
  if (!hp_heap_reserved || !hp_sys_mappings(give, NULL))
    return;
  hp_heap_reserved = false;
  hp_space_is_limited = true;
}
