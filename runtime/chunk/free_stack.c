/* free_stack.c - see free_stack.h.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/free_stack.h"

#include "chunk/access.h"
#include "chunk/request.h"
#include "chunk/watch.h"
#include "options/options.h"
#include "origin/call_stack.h"
#include "origin/point.h"

uint64_t hp_free_stacks_of = HP_RECORD_EXACT;

void hp_free_stacks_start(void) {
  hp_free_stacks_of = hp_options.free_stacks ? HP_RECORD_LIVE : HP_RECORD_EXACT;
}

void hp_free_stacks_end(void) {
  __atomic_store_n(&hp_free_stacks_of, 0, __ATOMIC_RELAXED);
}

static bool is_among_first(const struct hp_cold *cold) {
  const unsigned first = hp_access_hooked ? HP_EXACT_FIRST : HP_UNHOOKED_FIRST;
  return !cold->point || __atomic_load_n(&hp_point_get(cold->point)->chunks,
                                         __ATOMIC_RELAXED) < first;
}

HP_NOINLINE uint32_t hp_free_stack_of_some(struct hp_thread *self,
                                           const struct hp_chunk *chunk,
                                           const struct hp_cold *cold,
                                           const struct hp_caller *caller) {
  hp_watch_free(chunk, cold);
  const bool wanted = hp_options.free_stacks || hp_options.exact_time ||
                      is_among_first(cold) ||
                      cold->t0 * 0x9e3779b97f4a7c15u >> 61 == 0;
  return wanted ? hp_call_stack(&self->last_stack, caller) : HP_STACK_NONE;
}
