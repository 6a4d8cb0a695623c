/* allocator.c - malloc and free of chunks that are profiled, step by step.
   How a chunk begins and ends is in chunk_life.h; the usual way is quick_chunk.h.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/allocator.h"

#include "chunk/bare_chunk.h"
#include "chunk/chunk_life.h"
#include "chunk/plain.h"
#include "chunk/unprofiled.h"
#include "system/real_libc.h"

void *hp_allocate(const struct hp_request *request) {
  struct hp_thread *self = hp_thread_get();
  if (HP_UNLIKELY(!self)) {
    hp_count_failed(request->size);
    return NULL;
  }
  uint64_t outer = hp_gate_enter(self);
  hp_start_timing(self);
  void *p;
  struct hp_chunk *chunk =
      hp_take_slot(self, request->size, request->alignment, outer != 0, &p);
  if (HP_UNLIKELY(!chunk)) {
    hp_gate_leave(self, outer, HP_A_BEGIN);
    p = hp_unprofiled_allocate(self, request);
    if (!p)
      hp_sample_undo(self, request->size);
    hp_end_timing(self, request->entry);
    return p;
  }
  struct hp_alloc_point *point = hp_find_point(self, request, 0);
  if (HP_UNLIKELY(hp_chunk_is_large(chunk)))
    hp_prepare_large(chunk, p, request, point);
  else if (request->zeroed)
    hp_real_memset(p, 0, request->size);
  uint64_t now = hp_event_time(self, hp_clock_now());
  hp_begin_chunk(self, chunk, p, request, point, now);
  hp_end_timing(self, request->entry);
  hp_gate_leave(self, outer, HP_A_BEGIN);
  return p;
}

/* P is no live chunk, or this thread has no block. */
static HP_COLD void refuse_free(const void *p, const struct hp_caller *caller) {
  if (hp_live_chunk_at(p))
    hp_count_unrecorded_free();
  else
    hp_report_invalid(p, "free", caller);
}

/* FLAGS: of its event, HP_ENDED_BY_DELETE or none. */
static HP_NOINLINE void deallocate(void *p, const struct hp_caller *caller,
                                   uint32_t flags) {
  struct hp_thread *self = hp_thread_get();
  struct hp_chunk *chunk = HP_LIKELY(self != NULL) ? hp_live_chunk_at(p) : NULL;
  if (HP_UNLIKELY(!chunk)) {
    if (p)
      refuse_free(p, caller);
    return;
  }
  uint64_t outer = hp_gate_enter(self);
  hp_start_timing(self);
  hp_event_time(self, hp_clock_now());
  struct hp_cold *cold = hp_cold_of(p); /* p lies in its slot */
  if (HP_UNLIKELY(hp_sampling))
    hp_live_take(self, cold->word & HP_SIZE_MAX);
  hp_growth_end(&self->growth, chunk, cold, caller->sp);
  const uint32_t stack = hp_free_stack(self, chunk, cold, caller, false);
  const uint64_t now = self->last_event; /* later, if objects in it ended */
  hp_end_chunk(self, p, chunk, cold, caller, stack, flags, now);
  hp_give_slot(self, chunk, cold, outer != 0, false);
  hp_end_timing(self, flags ? HP_ENTRY_DELETE : HP_ENTRY_FREE);
  hp_gate_leave(self, outer, HP_AN_END);
}

void hp_deallocate(void *p, const struct hp_caller *caller) {
  deallocate(p, caller, 0);
}

void hp_deallocate_deleted(void *p, const struct hp_caller *caller) {
  deallocate(p, caller, HP_ENDED_BY_DELETE);
}

/* ---- questions ----------------------------------------------------------- */

size_t hp_usable_size(const void *p) {
  const struct hp_chunk *chunk = p ? hp_live_chunk_at(p) : NULL;
  if (chunk)
    return hp_chunk_size(chunk);
  const size_t other = hp_plain_owns(p)   ? hp_plain_size(p)
                       : hp_bare_holds(p) ? hp_bare_size(p)
                                          : SIZE_MAX;
  return other != SIZE_MAX ? other : 0;
}

struct hp_chunk *hp_chunk_at(const void *p) { return hp_live_chunk_at(p); }

bool hp_heap_owns(const void *p) { return hp_heap_holds(p); }

bool hp_heap_trim(void) { return hp_secondary_trim(); }
