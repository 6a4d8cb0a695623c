/* thread_stacks.c - see thread_stacks.h.  Pages of a stack stay when it is no longer
   as deep, so that a look sees how deep it was.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dump/thread_stacks.h"

#include "heapprof_format.h"
#include "profile/thread_sums.h"
#include "system/arena.h"
#include "system/resident.h"

/* Of the threads that are told of one by one; bytes. */
static struct stack {
  uint64_t size;     /* 0: it was not seen */
  uint64_t deepest;  /* from its end, of all looks */
  uint64_t resident; /* in the last look; 0: it was gone */
} stacks[HP_THREADS_TOLD + 1];

void hp_thread_stacks_start(void) { hp_clear(stacks, sizeof stacks); }

void hp_thread_stacks_look(void) {
  for (uint32_t i = 0; i <= HP_THREADS_TOLD; i++)
    stacks[i].resident = 0;
}

void hp_thread_stacks_add(uint32_t number, uintptr_t begin, uintptr_t end,
                          uint64_t resident) {
  if (!number || number > HP_THREADS_TOLD || begin >= end)
    return;
  struct stack *stack = &stacks[number];
  uintptr_t page = begin;
  while (page < end && !hp_resident_at(page))
    page += HP_RESIDENT_PAGE;
  stack->size = end - begin;
  stack->resident = resident;
  if (page < end && end - page > stack->deepest)
    stack->deepest = end - page;
}

size_t hp_thread_stacks_put(struct hp_bytes *payload) {
  struct hp_bytes list = {0};
  for (uint32_t i = 0; i <= HP_THREADS_TOLD; i++) {
    if (!stacks[i].size)
      continue;
    hp_put_varint(&list, i);
    hp_put_varint(&list, stacks[i].size);
    hp_put_varint(&list, stacks[i].deepest);
    hp_put_varint(&list, stacks[i].resident);
  }
  const bool any = list.size && !list.failed;
  if (any)
    hp_put_bytes_field(payload, HP_END_thread_stacks, list.data, list.size);
  hp_bytes_free(&list);
  return any;
}
