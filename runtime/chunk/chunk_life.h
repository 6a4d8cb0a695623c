/* chunk_life.h - how a chunk begins and ends: slot, record, point and clock.
   Every chunk begins in hp_begin_chunk() and ends in hp_end_chunk(), both between
   hp_gate_enter() and hp_gate_leave().
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_CHUNK_LIFE_H
#define HP_CHUNK_LIFE_H

#include "chunk/access.h"
#include "chunk/describe.h"
#include "chunk/free_stack.h"
#include "chunk/live_bytes.h"
#include "chunk/page_facts.h"
#include "chunk/request.h"
#include "heap/owner.h"
#include "options/options.h"
#include "origin/call_stack.h"
#include "origin/point.h"
#include "system/check.h"
#include "system/clock.h"
#include "thread/gate.h"

/* ---- time ---------------------------------------------------------------- */

/* NOW, but later than any other event of this thread: so (t0, thread) names a
   chunk, and a clock that steps back cannot reorder a thread's own events. */
HP_INLINE uint64_t hp_next_event(struct hp_thread *self, uint64_t now) {
  if (now <= self->last_event)
    now = self->last_event + 1;
  return self->last_event = now;
}

HP_INLINE uint64_t hp_event_time(struct hp_thread *self, uint64_t now) {
  hp_clock_noted(now);
  return hp_next_event(self, now);
}

/* Time in the allocator is an estimate: now and then a call is timed
   (chunk_life.c). */
void hp_choose_timed(struct hp_thread *self);
void hp_add_timed(struct hp_thread *self, enum hp_entry function);

HP_INLINE void hp_start_timing(struct hp_thread *self) {
  if (HP_UNLIKELY(!--self->until_timed))
    hp_choose_timed(self);
}

HP_INLINE void hp_end_timing(struct hp_thread *self, enum hp_entry function) {
  if (HP_UNLIKELY(self->timed_since))
    hp_add_timed(self, function);
}

/* ---- slots --------------------------------------------------------------- */

/* One of NEED bytes, of which *FRONT are ahead of the chunk of SIZE: it is large,
   or may get pages of its own. */
struct hp_chunk *hp_take_seldom(struct hp_thread *self, size_t size,
                                size_t alignment, bool nested, size_t *front);

HP_INLINE struct hp_chunk *hp_take_small(struct hp_thread *self, size_t need,
                                         bool nested) {
  const unsigned size_class = hp_slot_class(need);
  return HP_UNLIKELY(nested)
             ? hp_primary_take_shared(size_class, HP_PROFILED)
             : hp_primary_take(&self->caches[size_class], size_class);
}

/* A slot for a chunk of SIZE bytes, which begins at *START; NULL: there is none.
   NESTED: a handler of a signal asks, and its thread's caches may be in the
   middle of a change. */
HP_INLINE struct hp_chunk *hp_take_slot(struct hp_thread *self, size_t size,
                                        size_t alignment, bool nested,
                                        void **start) {
  struct hp_chunk *chunk;
  size_t front = hp_front_for(size, alignment);
  const size_t need = hp_slot_need(size, front);
  if (HP_LIKELY(size < HP_SMALL_MAX && need <= self->small_max))
    chunk = hp_take_small(self, need, nested);
  else
    chunk = hp_take_seldom(self, size, alignment, nested, &front);
  *start = (void *)((uintptr_t)chunk + front); /* of no use without a chunk */
  return chunk;
}

/* Zeroes the large CHUNK that is to begin at START, if REQUEST asks for that, and
   gives it pages that nobody touched, if those of POINT shall be known. */
void hp_prepare_large(const struct hp_chunk *chunk, void *start,
                      const struct hp_request *request,
                      const struct hp_alloc_point *point);

/* Makes a record one that no access changes. */
HP_INLINE void hp_retire(struct hp_chunk *chunk, struct hp_cold *cold) {
  cold->word = 0;
  chunk->lo = UINT32_MAX;
  chunk->hi = 0;
}

/* COPIED: the chunk's bytes were copied elsewhere, and what its pages say was noted
   before that. */
void hp_give_large(struct hp_chunk *chunk, struct hp_cold *cold, bool copied);

/* The chunk of COLD has ended: its slot may be used anew. */
HP_INLINE void hp_give_slot(struct hp_thread *self, struct hp_chunk *chunk,
                            struct hp_cold *cold, bool nested, bool copied) {
  if (HP_UNLIKELY(hp_chunk_is_large(chunk))) {
    hp_give_large(chunk, cold, copied);
    return;
  }
  hp_retire(chunk, cold);
  unsigned size_class = hp_chunk_class(chunk);
  if (HP_UNLIKELY(nested))
    hp_primary_give_shared(size_class, HP_PROFILED, chunk);
  else
    hp_primary_give(&self->caches[size_class], size_class, chunk);
}

/* ---- a chunk begins ------------------------------------------------------ */

/* Whether a chunk of POINT that begins now is one of its first HP_EXACT_FIRST.
   The count goes no further, so that threads then only read it. */
HP_INLINE bool hp_is_among_first(struct hp_alloc_point *point) {
  return __atomic_load_n(&point->chunks, __ATOMIC_RELAXED) < HP_EXACT_FIRST &&
         __atomic_fetch_add(&point->chunks, 1, __ATOMIC_RELAXED) <
             HP_EXACT_FIRST;
}

HP_INLINE bool hp_is_to_be_exact(struct hp_alloc_point *point, uint64_t t0) {
  return hp_options.exact_time || (point && hp_is_among_first(point)) ||
         hp_access_is_chosen(t0);
}

/* The allocation point of REQUEST.  BEFORE is that of the chunk that realloc takes
   over from, or 0: its type stays where the call names none. */
HP_INLINE struct hp_alloc_point *hp_find_point(struct hp_thread *self,
                                               const struct hp_request *request,
                                               uint32_t before) {
  if (HP_UNLIKELY(!hp_recording))
    return NULL;
  const struct hp_type *type =
      hp_type_of_chunk(request->caller.type, request->size, request->caller.pc);
  if (!type && before)
    type = hp_point_type(hp_point_get(before));
  uint32_t stack = hp_call_stack(&self->last_stack, &request->caller);
  return hp_point_intern(stack, request->entry, type);
}

/* Makes a chunk of a program without hooks look as if all of its bytes had been
   accessed, at no time (hp_access_hooked). */
HP_INLINE void hp_begin_unhooked(struct hp_chunk *chunk, uintptr_t start,
                                 uint64_t word) {
  const uint64_t size = word & HP_SIZE_MAX;
  if (size && !(word & HP_RECORD_HUGE)) {
    chunk->lo = (uint32_t)start;
    chunk->hi = (uint32_t)(start + size - 1);
  }
}

/* Fills in both halves of the record of a new chunk, but for COLD's word: it is no
   live one yet. */
HP_INLINE void hp_fill_record(struct hp_chunk *chunk, struct hp_cold *cold,
                              uint64_t tag, uint32_t point, uint64_t t0,
                              uint32_t thread) {
  chunk->thread_writes = tag;
  chunk->reads_guard = (uint64_t)hp_guard_of(point) << HP_COUNT_BITS;
  chunk->lo = UINT32_MAX;
  chunk->hi = 0;
  chunk->last = 0;
  HP_CHECK(!(cold->word & HP_RECORD_LIVE)); /* given out twice */
  cold->first = 0;
  cold->t0 = t0;
  cold->point = point;
  cold->thread = thread;
}

/* Makes the record that of a live chunk of SIZE bytes at START. */
HP_INLINE void hp_make_live(struct hp_cold *cold, uintptr_t start,
                            uint64_t size, uint64_t word) {
  hp_access_not_last_byte = ~(start + size - 1);
  /* At last: hp_allocator_each_live() may be looking. */
  __atomic_store_n(&cold->word, word, __ATOMIC_RELEASE);
}

/* Says that a chunk of SIZE bytes began; HEAVY: that, and what it stands for in a
   sample.  SP: of the call. */
HP_INLINE void hp_tell_begin(struct hp_thread *self,
                             const struct hp_chunk *chunk, uint64_t size,
                             uint64_t heavy, uint32_t point, uint32_t thread,
                             uint64_t now, uintptr_t sp) {
  hp_events_begin(&self->events, now, heavy, point, thread);
  hp_growth_begin(&self->growth, chunk, point, now, size, sp);
}

/* Fills in the record of a new chunk and says that it began.  Without
   hp_recording its time is 0, as if it had begun before the window: its end then
   tells nothing, and that of a recorded chunk tells all, whatever hp_recording
   is by then. */
HP_INLINE void hp_begin_chunk(struct hp_thread *self, struct hp_chunk *chunk,
                              const void *start,
                              const struct hp_request *request,
                              struct hp_alloc_point *point, uint64_t now) {
  const size_t front = (size_t)((const char *)start - (const char *)chunk);
  uint64_t flags = HP_RECORD_LIVE | hp_front_code(front)
                                        << HP_RECORD_FRONT_SHIFT;
  if (request->zeroed)
    flags |= HP_RECORD_ZEROED;
  bool recorded = HP_LIKELY(hp_recording);
  const bool hooked = HP_LIKELY(hp_access_hooked);
  /* Without hooks it is one whose free is looked at (free_stack.h). */
  const bool chosen = recorded && hp_is_to_be_exact(point, now);
  if (chosen)
    flags |= HP_RECORD_EXACT;
  if (HP_UNLIKELY(hp_sampling)) {
    flags |= hp_sample_rounding(self, request->size);
    hp_live_add(self, request->size);
  }
  const uint32_t thread = hp_thread_number();
  uint16_t tag = hp_thread_tag(thread);
  if (front + request->size > UINT32_MAX) { /* halves of addresses repeat */
    flags |= HP_RECORD_HUGE;
    tag = HP_THREAD_LATE;
    struct hp_others *huge = hp_others_of(chunk);
    huge->huge_lo = UINT64_MAX;
    huge->huge_hi = 0;
  }
  const uint64_t word = flags | request->size;
  const uint32_t id = point ? hp_point_id(point) : 0;
  if (chosen && hooked)
    tag |= HP_THREAD_EXACT;
  HP_CHECK(hp_front_of(word) == front && (word & HP_SIZE_MAX) == request->size);
  struct hp_cold *cold = hp_cold_of(chunk);
  hp_fill_record(chunk, cold, tag, id, recorded ? now : 0, thread);
  if (!hooked)
    hp_begin_unhooked(chunk, (uintptr_t)start, word);
  hp_make_live(cold, (uintptr_t)start, request->size, word);
  if (recorded)
    hp_tell_begin(self, chunk, request->size,
                  word & (HP_SIZE_MAX | HP_RECORD_HEAVIER), id, thread, now,
                  request->caller.sp);
}

/* ---- a chunk ends -------------------------------------------------------- */

void hp_clear_others(const struct hp_chunk *chunk, uint64_t word);

/* Clears what threads other than the first counted of CHUNK. */
HP_INLINE void hp_forget_others(const struct hp_chunk *chunk,
                                const struct hp_cold *cold) {
  const uint64_t word = cold->word;
  if (HP_UNLIKELY(word & HP_WITH_OTHERS))
    hp_clear_others(chunk, word);
}

/* Adds to EVENT, which describes the chunk at P, who ended it and when, and hands it
   over.  PC: of the call, by thread THREAD. */
HP_INLINE void hp_tell_end(struct hp_chunk_log *event, const void *p,
                           uintptr_t pc, uint32_t stack, uint32_t thread,
                           uint32_t flags, uint64_t now) {
  event->address = (uintptr_t)p;
  event->free_pc = pc;
  event->free_stack = stack;
  event->free_thread = thread;
  event->flags |= flags;
  event->step = hp_clock_chunk_step(now);
  __atomic_store_n(&event->t1, now, __ATOMIC_RELEASE);
}

/* Says that the chunk at P ended, freed by the call stack of number STACK.  Chunks from
   before the window are only counted.  The slot may be used anew afterwards. */
HP_INLINE void hp_end_chunk(struct hp_thread *self, const void *p,
                            const struct hp_chunk *chunk,
                            const struct hp_cold *cold,
                            const struct hp_caller *caller, uint32_t stack,
                            uint32_t flags, uint64_t now) {
  if (HP_UNLIKELY(cold->t0 < hp_clock_window_start)) {
    self->inherited_frees++;
    hp_forget_others(chunk, cold);
    return;
  }
  if (HP_LIKELY(hp_events_wanted)) {
    struct hp_chunk_log *event = hp_events_end(&self->events);
    if (HP_UNLIKELY(!hp_describe(event, chunk, cold)))
      hp_report_damage(event->size);
    hp_tell_end(event, p, caller->pc, stack, hp_thread_number(), flags, now);
  }
  hp_forget_others(chunk, cold);
}

/* P is in a slot of the secondary that was ever used. */
bool hp_is_in_large(const void *p);

/* The live chunk that begins at P, or NULL. */
HP_INLINE struct hp_chunk *hp_live_chunk_at(const void *p) {
  if (HP_UNLIKELY(!hp_owner_is_small(p)) && !hp_is_in_large(p))
    return NULL;
  struct hp_chunk *chunk =
      hp_heap_record((uintptr_t)p, (unsigned)((uintptr_t)p >> HP_REGION_SHIFT));
  uint64_t word = hp_cold_of(p)->word; /* of the slot that P lies in */
  bool live_here =
      HP_LIKELY(word & HP_RECORD_LIVE) &&
      HP_LIKELY((uintptr_t)p == (uintptr_t)chunk + hp_front_of(word));
  return live_here ? chunk : NULL;
}

#endif
