/* quick_chunk.h - the usual way through malloc and free, in one piece: what asks for
   more goes the way of allocator.c, which does the same of any chunk.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_QUICK_CHUNK_H
#define HP_QUICK_CHUNK_H

#include "chunk/chunk_life.h"

/* To be called when hp_recording, hp_access_hooked, the clock, options or the window
   have changed: what malloc and free ask of all that is one word, hp_gate. */
void hp_quick_look(void);
void hp_quick_start(void); /* the runtime has started */

/* Usual is what hp_quick_look() says of the process, a use that is neither nested
   nor timed, and a chunk up to 64 KiB whose thread's cache has a slot, or room for
   one; of frees, a chunk that no other thread accessed.
   Until that is known nothing is done that the other way would do again. */

/* Budgets of one call from a function of main's that finds a slot in its thread's
   cache, room in the ring and the stack of the call before; the loop around it
   is counted, too (test/performance/allocation-budget.c):
     malloc: at most 346 instructions
     free: at most 240 instructions */

/* Begins a use of the allocator, of what HP_GATE_BEGINS or HP_GATE_ENDS says; false:
   it is not a usual one, and none began. */
HP_INLINE bool hp_quick_enter(struct hp_thread *self, uint32_t asks) {
  const uint64_t coarse = __atomic_load_n(&hp_clock_coarse, __ATOMIC_RELAXED),
                 last = self->last_event;
  if (HP_UNLIKELY(self->events.entered) || HP_UNLIKELY(self->until_timed == 1))
    return false;
  __atomic_store_n(&self->events.entered, coarse > last ? coarse : last,
                   __ATOMIC_RELAXED);
  __atomic_signal_fence(__ATOMIC_SEQ_CST); /* as hp_gate_enter() */
  if (HP_LIKELY(!(__atomic_load_n(&hp_gate.all, __ATOMIC_RELAXED) & asks)))
    return true;
  __atomic_store_n(&self->events.entered, 0, __ATOMIC_RELEASE);
  return false;
}

HP_INLINE void *hp_quick_refuse(struct hp_thread *self) {
  __atomic_store_n(&self->events.entered, 0, __ATOMIC_RELEASE);
  return NULL;
}

/* What is seldom called keeps registers, so that the usual way need not save them. */
HP_PRESERVE_MOST void hp_quick_step(uint64_t now); /* hp_clock_step() */
HP_PRESERVE_MOST void hp_quick_zero(void *p, size_t size);
HP_PRESERVE_MOST void hp_quick_grown(struct hp_thread *self,
                                     const struct hp_chunk *chunk,
                                     const struct hp_cold *cold, uintptr_t sp);
HP_PRESERVE_MOST uint32_t hp_quick_stack(struct hp_thread *self,
                                         const struct hp_chunk *chunk,
                                         const struct hp_cold *cold,
                                         uintptr_t pc, uintptr_t bp,
                                         uintptr_t sp);
HP_PRESERVE_MOST struct hp_chunk_log *
hp_quick_event(struct hp_thread *self, const struct hp_chunk *chunk,
               uint64_t word);
HP_PRESERVE_MOST uint32_t hp_quick_intern(uint32_t stack, enum hp_entry entry,
                                          const struct hp_type *type);

/* The time of an event: hp_event_time() where the clock is the counter. */
HP_INLINE uint64_t hp_quick_time(struct hp_thread *self) {
  uint64_t now = hp_clock_tsc();
  if (HP_UNLIKELY(hp_clock_is_late(
          __atomic_load_n(&hp_clock_coarse, __ATOMIC_RELAXED), now)))
    hp_quick_step(now);
  return hp_next_event(self, now);
}

/* ---- malloc -------------------------------------------------------------- */

/* The number of the allocation point of REQUEST; 0: there is none. */
HP_INLINE uint32_t hp_quick_point(struct hp_thread *self,
                                  const struct hp_request *request) {
  const uint32_t stack = hp_call_stack(&self->last_stack, &request->caller);
  if (HP_UNLIKELY(!stack))
    return 0;
  const struct hp_type *type =
      hp_type_of_chunk(request->caller.type, request->size, request->caller.pc);
  const uint32_t newest = hp_point_newest(stack, request->entry, type);
  if (HP_LIKELY(newest))
    return newest;
  return hp_quick_intern(stack, request->entry, type);
}

/* hp_begin_chunk() of a usual one, in a slot of 2^SHIFT bytes. */
HP_INLINE void hp_quick_begin(struct hp_thread *self, struct hp_chunk *chunk,
                              const void *start,
                              const struct hp_request *request, uint64_t word,
                              uint32_t point, uint64_t now, unsigned shift) {
  const uint64_t size = request->size;
  const uint32_t thread = self->number;
  /* hp_thread_self_tag is 0 of late ones. */
  uint32_t tag = hp_thread_tag(thread);
  word |= size;
  if (HP_UNLIKELY(hp_is_among_first(hp_point_at(point))) ||
      HP_UNLIKELY(hp_access_is_chosen(now))) {
    word |= HP_RECORD_EXACT;
    tag |= HP_THREAD_EXACT;
  }
  struct hp_cold *cold =
      (struct hp_cold *)HP_RECORDS_BASE + ((uintptr_t)chunk >> shift);
  hp_fill_record(chunk, cold, tag, point, now, thread);
  hp_make_live(cold, (uintptr_t)start, size, word);
  hp_tell_begin(self, chunk, size, size, point, thread, now,
                request->caller.sp);
}

/* A new chunk; NULL: it is not a usual one, and nothing was done. */
HP_INLINE void *hp_quick_allocate(const struct hp_request *request) {
  struct hp_thread *self = hp_thread_self;
  if (HP_UNLIKELY(!self) || HP_UNLIKELY(!hp_quick_enter(self, HP_GATE_BEGINS)))
    return NULL;
  if (HP_UNLIKELY(request->size > HP_SMALL_MAX - HP_FRONT) ||
      HP_UNLIKELY(request->alignment >= HP_FRONT) ||
      HP_UNLIKELY(!self->small_max))
    return hp_quick_refuse(self);
  /* A chunk of no bytes takes one, which is in the same class. */
  const size_t most =
      (request->size + HP_FRONT - 1) | (((size_t)1 << HP_CLASS_MIN_SHIFT) - 1);
  const unsigned digits = 63u ^ (unsigned)__builtin_clzll(most);
  struct hp_cache *cache = &self->caches[digits + 1 - HP_CLASS_MIN_SHIFT];
  if (HP_UNLIKELY(!cache->count))
    return hp_quick_refuse(self);
  /* From here on it is met: whoever asks for the type ends a scope (type.h). */
  const uint32_t point = hp_quick_point(self, request);
  if (HP_UNLIKELY(!point))
    return hp_quick_refuse(self);
  struct hp_chunk *chunk = cache->free[--cache->count];
  const size_t front = hp_front_for(request->size, 0);
  void *p = (char *)chunk + front;
  uint64_t word = HP_RECORD_LIVE | hp_front_code(front)
                                       << HP_RECORD_FRONT_SHIFT;
  if (HP_UNLIKELY(request->zeroed)) {
    hp_quick_zero(p, request->size);
    word |= HP_RECORD_ZEROED;
  }
  self->until_timed--;
  hp_quick_begin(self, chunk, p, request, word, point, hp_quick_time(self),
                 hp_chunk_shift(chunk));
  hp_gate_leave(self, 0, HP_A_BEGIN);
  return p;
}

/* ---- free ---------------------------------------------------------------- */

#define HP_QUICK_FLAGS                                                         \
  (HP_RECORD_ZEROED | HP_RECORD_EXACT | HP_RECORD_AGED | HP_RECORD_GROWN |     \
   (uint64_t)1 << HP_RECORD_FRONT_SHIFT) /* may be set */

/* hp_describe() of a usual chunk at P; false: its record was written over. */
HP_INLINE bool hp_quick_is_intact(const void *p, const struct hp_chunk *chunk,
                                  const struct hp_cold *cold, uint64_t word) {
  const uint32_t start = (uint32_t)(uintptr_t)p;
  const uint32_t from = chunk->lo, to = chunk->hi;
  return !hp_is_damaged(chunk, cold->point, hp_thread_tag(cold->thread),
                        chunk->last) &&
         (from > to || (uint64_t)(to - start) < (word & HP_SIZE_MAX));
}

/* Keeps two conditions from being made one, which takes more. */
#define HP_APART() __asm__ volatile("")

/* Ends the chunk at P; false: it is not a usual one, and nothing was done. */
HP_INLINE bool hp_quick_deallocate(void *p, uintptr_t pc, uintptr_t bp,
                                   uintptr_t sp, uint32_t flags) {
  const unsigned shift = (unsigned)((uintptr_t)p >> HP_REGION_SHIFT),
                 size_class = shift - HP_CLASS_MIN_SHIFT;
  if (HP_UNLIKELY(size_class >= HP_CLASS_COUNT))
    return false;
  HP_APART();
  struct hp_thread *self = hp_thread_self;
  if (HP_UNLIKELY(!self) ||
      HP_UNLIKELY((uintptr_t)p - hp_primary_first[size_class] >=
                  hp_primary_bytes(size_class, HP_PROFILED)))
    return false;
  const uintptr_t number = (uintptr_t)p >> shift;
  struct hp_chunk *chunk = (struct hp_chunk *)(number << shift);
  struct hp_cold *cold = (struct hp_cold *)HP_RECORDS_BASE + number;
  /* What was allocated side by side is often freed so, in either order. */
  __builtin_prefetch(cold - 1, 1);
  __builtin_prefetch(cold + 1, 1);
  const uint64_t word = cold->word;
  struct hp_cache *cache = &self->caches[size_class];
  if (HP_UNLIKELY((word & ~(HP_SIZE_MAX | HP_QUICK_FLAGS)) != HP_RECORD_LIVE))
    return false;
  HP_APART();
  if (HP_UNLIKELY((uintptr_t)chunk + hp_front_of(word) != (uintptr_t)p) ||
      HP_UNLIKELY(cold->t0 < hp_clock_window_start) ||
      HP_UNLIKELY(!hp_quick_is_intact(p, chunk, cold, word)) ||
      HP_UNLIKELY(!hp_quick_enter(self, HP_GATE_ENDS)))
    return false;
  if (HP_UNLIKELY(cache->count >= cache->max)) {
    hp_quick_refuse(self);
    return false;
  }
  self->until_timed--;
  hp_quick_time(self);
  struct hp_growth_watch *growth = &self->growth;
  struct hp_growth_begun *next = &growth->begun[cold->point % HP_GROWTH_BEGUN];
  if (HP_UNLIKELY(hp_growth_copy_of(growth, chunk)->from == chunk) ||
      HP_UNLIKELY(hp_growth_may_follow(next, chunk, word & HP_SIZE_MAX, sp)))
    hp_quick_grown(self, chunk, cold, sp);
  next->size = 0;
  uint32_t stack = HP_STACK_NONE;
  struct hp_chunk_log *event;
  if (HP_UNLIKELY(word & hp_free_more_of)) {
    if (HP_UNLIKELY(word & hp_free_stacks_of))
      stack = hp_quick_stack(self, chunk, cold, pc, bp, sp);
    event = hp_quick_event(self, chunk, word);
  } else {
    event = hp_events_end(&self->events);
  }
  /* Anew: a chain of growth, or who took the stack, may have changed the word. */
  const uint64_t at_last = cold->word;
  hp_describe_record(event, chunk, cold, at_last);
  event->weight = 1;
  hp_own_accessed_bytes(chunk, (uint32_t)(uintptr_t)p, &event->lo, &event->hi);
  /* Its last event may be later by now, if objects in it ended. */
  hp_tell_end(event, p, pc, stack, self->number, flags, self->last_event);
  hp_retire(chunk, cold);
  cache->free[cache->count++] = chunk;
  hp_gate_leave(self, 0, HP_AN_END);
  return true;
}

#endif
