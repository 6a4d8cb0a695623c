/* free_stack.c - see free_stack.h.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/free_stack.h"

#include "chunk/access.h"
#include "chunk/contents.h"
#include "chunk/cut_block.h"
#include "chunk/member_end.h"
#include "chunk/members.h"
#include "chunk/request.h"
#include "chunk/watch.h"
#include "options/options.h"
#include "origin/call_stack.h"
#include "origin/point.h"

static bool is_among_first(uint32_t point) {
  const unsigned first = hp_access_hooked ? HP_EXACT_FIRST : HP_UNHOOKED_FIRST;
  return !point || __atomic_load_n(&hp_point_get(point)->chunks,
                                   __ATOMIC_RELAXED) < first;
}

/* Of one that began at T0. */
static bool is_wanted(uint32_t point, uint64_t t0) {
  return hp_options.free_stacks || hp_options.exact_time ||
         is_among_first(point) || t0 * 0x9e3779b97f4a7c15u >> 61 == 0;
}

static uint32_t take(struct hp_thread *self, const struct hp_chunk *chunk,
                     const struct hp_cold *cold, const struct hp_caller *caller,
                     bool is_looked_at) {
  (void)is_looked_at;
  if (hp_cut_is(chunk, cold->word))
    hp_cut_end(self, chunk, caller);
  else
    hp_watch_free(chunk, cold);
  return is_wanted(cold->point, cold->t0)
             ? hp_call_stack(&self->last_stack, caller)
             : HP_STACK_NONE;
}

/* Those that were chosen when they began, however old they are: one that is accessed
   when it is 32 periods old is no longer exact. */
#define CHOSEN (HP_RECORD_EXACT | HP_RECORD_AGED)

/* hp_free_stacks_of is this, and those whose contents are looked at or whose members
   are counted, or of which objects may be left. */
static uint64_t stacks_of = CHOSEN;

/* Chunks that were chosen may come here for what they hold only. */
static uint32_t look_and_take(struct hp_thread *self,
                              const struct hp_chunk *chunk,
                              const struct hp_cold *cold,
                              const struct hp_caller *caller,
                              bool is_looked_at) {
  if (!is_looked_at) {
    hp_contents_end(chunk, cold);
    hp_member_end(chunk, cold);
  }
  const uint64_t taken =
      __atomic_load_n(&stacks_of, __ATOMIC_RELAXED) | HP_RECORD_HUGE;
  return cold->word & taken ? take(self, chunk, cold, caller, true)
                            : HP_STACK_NONE;
}

uint32_t hp_free_stack_bare(struct hp_thread *self,
                            const struct hp_bare *record,
                            const struct hp_caller *caller) {
  return is_wanted(hp_bare_point_of(record->word), hp_bare_t0(record))
             ? hp_call_stack(&self->last_stack, caller)
             : HP_STACK_NONE;
}

uint64_t hp_free_stacks_of = CHOSEN | HP_RECORD_HUGE;
uint64_t hp_free_more_of = CHOSEN | HP_RECORD_HUGE | HP_RECORD_GROWN;
hp_free_stack_taker *hp_free_stack_of_some = take;

static void set_flags(uint64_t flags) {
  __atomic_store_n(&hp_free_stacks_of, flags, __ATOMIC_RELAXED);
  __atomic_store_n(&hp_free_more_of, flags | HP_RECORD_GROWN, __ATOMIC_RELAXED);
}

void hp_free_stacks_start(void) {
  stacks_of = hp_options.free_stacks ? HP_RECORD_LIVE : CHOSEN;
  const uint64_t looked_at = hp_contents_of | hp_members_of;
  set_flags(stacks_of | looked_at | HP_RECORD_HUGE);
  hp_free_stack_of_some = looked_at ? look_and_take : take;
}

void hp_free_stacks_end(void) {
  __atomic_store_n(&stacks_of, 0, __ATOMIC_RELAXED);
  set_flags(hp_contents_of | hp_members_of | HP_RECORD_HUGE);
}
