/* chunk_life.c - see chunk_life.h: what few chunks need.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/chunk_life.h"

#include "chunk/call_times.h"
#include "chunk/page_sample.h"
#include "chunk/pooled.h"
#include "heap/share.h"
#include "heap/warm_slots.h"
#include "system/real_libc.h"

/* xorshift64 */
static uint64_t next_random(struct hp_thread *self) {
  self->random ^= self->random << 13;
  self->random ^= self->random >> 7;
  return self->random ^= self->random << 17;
}

/* Time spent here is an estimate: on average one call in HP_TIMED_ONE_IN is
   timed, at random intervals, and stands for all of them. */

HP_COLD void hp_choose_timed(struct hp_thread *self) {
  self->until_timed =
      1 + (uint32_t)(next_random(self) % (2 * HP_TIMED_ONE_IN - 1));
  self->timed_since = hp_clock_now();
}

HP_COLD void hp_add_timed(struct hp_thread *self, enum hp_entry function) {
  const uint64_t ticks = hp_clock_now() - self->timed_since;
  self->allocator_ticks += ticks * HP_TIMED_ONE_IN;
  self->timed_since = 0;
  hp_call_timed(function, hp_thread_number(), ticks);
  hp_page_sample_tick(self);
}

HP_NOINLINE struct hp_chunk *hp_take_seldom(struct hp_thread *self, size_t size,
                                            size_t alignment, bool nested,
                                            size_t *front) {
  struct hp_chunk *chunk = hp_page_sample_take(self, size, alignment);
  const size_t need = hp_slot_need(size, *front);
  if (HP_UNLIKELY(chunk != NULL)) {
    *front = HP_APART_FRONT;
  } else if (size < HP_SMALL_MAX && need <= HP_SMALL_MAX) {
    chunk = hp_take_small(self, need, nested);
  } else if (size <= hp_allocator_max_size()) {
    chunk = hp_secondary_take(size, alignment, HP_PROFILED);
    *front = hp_large_front(chunk, size, alignment);
  }
  return chunk;
}

HP_NOINLINE void hp_prepare_large(const struct hp_chunk *chunk, void *start,
                                  const struct hp_request *request,
                                  const struct hp_alloc_point *point) {
  if (!hp_slot_is_warm(chunk, HP_PROFILED))
    return;
  if (point && request->size >= HP_PAGE_CHUNK_MIN &&
      hp_page_facts_want(hp_point_id(point)))
    hp_secondary_cool(chunk, HP_PROFILED);
  else if (request->zeroed)
    hp_real_memset(start, 0, request->size);
}

HP_NOINLINE void hp_give_large(struct hp_chunk *chunk, struct hp_cold *cold,
                               bool copied) {
  const uint64_t word = cold->word;
  if (!copied)
    hp_page_facts_end(chunk, cold);
  hp_page_sample_give(word);
  hp_retire(chunk, cold);
  hp_secondary_give(chunk, HP_PROFILED, word);
}

HP_NOINLINE void hp_clear_others(const struct hp_chunk *chunk, uint64_t word) {
  if (hp_cut_is(chunk, word))
    hp_pooled_forget(chunk);
  if (word & HP_RECORD_MULTITHREAD)
    hp_share_end(chunk);
  if (word & HP_RECORD_CROWD)
    *hp_crowd_of(chunk) = (struct hp_crowd){0};
}

HP_NOINLINE bool hp_is_in_large(const void *p) {
  return hp_heap_holds(p) && hp_owner_checked(p).chunk;
}
