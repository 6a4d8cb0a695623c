/* beside.c - see beside.h: a record begins after the allocator's call, and ends before it.
   So no other thread can get the place of a chunk while its record is there.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/beside.h"

#include "chunk/bare_chunk.h"
#include "chunk/call_times.h"
#include "chunk/chunk_life.h"
#include "chunk/resizes.h"
#include "chunk/unprofiled.h"
#include "system/next_allocator.h"

/* In the allocator: what this thread calls now are its own calls. */
static HP_THREAD_LOCAL bool is_inside;

/* ---- times --------------------------------------------------------------- */

/* Only the allocator's call is timed, less what it takes to look at the clock. */
static uint64_t timer_ticks = UINT64_MAX;

static void measure_timer(void) {
  for (int i = 0; i < 1000; i++) {
    const uint64_t begin = hp_clock_now(), ticks = hp_clock_now() - begin;
    if (ticks < timer_ticks)
      timer_ticks = ticks;
  }
}

static void enter(struct hp_thread *self) {
  is_inside = true;
  if (HP_LIKELY(self != NULL))
    hp_start_timing(self);
}

static void leave(struct hp_thread *self, enum hp_entry function) {
  if (HP_LIKELY(self != NULL) && HP_UNLIKELY(self->timed_since)) {
    const uint64_t ticks = hp_clock_now() - self->timed_since;
    const uint64_t own = ticks > timer_ticks ? ticks - timer_ticks : 0;
    self->allocator_ticks += own * HP_TIMED_ONE_IN;
    self->timed_since = 0;
    hp_call_timed(function, hp_thread_number(), own);
  }
  is_inside = false;
}

/* ---- records ------------------------------------------------------------- */

/* Between hp_gate_enter() and hp_gate_leave(), as those that follow. */
static void end_record(struct hp_thread *self, struct hp_chunk *record,
                       const struct hp_caller *caller, uint32_t stack,
                       uint32_t flags, bool nested, uint64_t now) {
  struct hp_cold *cold = hp_cold_of(record);
  hp_end_chunk(self, (const void *)*hp_beside_place(record), record, cold,
               caller, stack, flags, now);
  hp_give_slot(self, record, cold, nested, false);
}

/* A slot whose chunk is to be at P; NULL: there is no memory for it. */
static struct hp_chunk *take_record(struct hp_thread *self, void *p,
                                    const struct hp_caller *caller,
                                    bool nested) {
  struct hp_chunk *before;
  struct hp_chunk *record =
      hp_take_small(self, (size_t)1 << HP_CLASS_MIN_SHIFT, nested);
  if (HP_UNLIKELY(!record))
    return NULL;
  if (HP_UNLIKELY(!hp_beside_put((uintptr_t)p, record, &before))) {
    hp_give_slot(self, record, hp_cold_of(record), nested, false);
    return NULL;
  }
  *hp_beside_place(record) = (uintptr_t)p;
  if (HP_UNLIKELY(before != NULL)) /* its end was not seen */
    end_record(self, before, caller, HP_STACK_NONE, 0, nested,
               hp_event_time(self, hp_clock_now()));
  return record;
}

/* The chunk at P began; OLD, whose record is still there, or NULL ended by it. */
static void begin(struct hp_thread *self, void *p,
                  const struct hp_request *request, struct hp_chunk *old) {
  const uint64_t outer = hp_gate_enter(self);
  const bool nested = outer != 0;
  struct hp_chain_state before = {0};
  uint64_t old_size = 0, copied = 0;
  bool grows = false;
  struct hp_alloc_point *point =
      hp_find_point(self, request, old ? hp_cold_of(old)->point : 0);
  uint64_t now = hp_event_time(self, hp_clock_now());
  const bool stayed = old && *hp_beside_place(old) == (uintptr_t)p;
  if (old) {
    old_size = hp_chunk_size(old);
    copied = old_size < request->size ? old_size : request->size;
    grows = request->size > old_size && old_size &&
            hp_cold_of(old)->t0 >= hp_clock_window_start;
    before = hp_growth_state(old);
    end_record(self, old, &request->caller, point ? point->stack : 0,
               HP_CHUNK_REALLOC, nested, now);
  }
  struct hp_chunk *record = take_record(self, p, &request->caller, nested);
  if (HP_LIKELY(record != NULL)) {
    hp_begin_chunk(self, record, hp_beside_place(record), request, point, now);
    if (old && HP_LIKELY(point != NULL))
      hp_resize_note(hp_point_id(point), old_size, request->size,
                     stayed ? NULL : &copied);
    if (grows && HP_LIKELY(hp_recording))
      hp_growth_link(record, &before, old_size, copied, HP_CHAIN_SEEN);
  } else {
    hp_unprofiled_count(self, request->size);
    __atomic_fetch_add(&hp_beside_unrecorded, 1, __ATOMIC_RELAXED);
  }
  hp_gate_leave(self, outer, HP_ANY_EVENT);
}

/* The record of the chunk at P, which is in no table from then on. */
static struct hp_chunk *take_old(struct hp_thread *self, void *p) {
  const uint64_t outer = hp_gate_enter(self);
  struct hp_chunk *old = hp_beside_take((uintptr_t)p);
  hp_gate_leave(self, outer, HP_AN_END);
  return old;
}

/* P could not be changed, and is what it was. */
static void put_back(struct hp_thread *self, void *p, struct hp_chunk *old) {
  struct hp_chunk *before;
  const uint64_t outer = hp_gate_enter(self);
  hp_beside_put((uintptr_t)p, old, &before);
  hp_gate_leave(self, outer, HP_AN_END);
}

/* OLD is in no table any more. */
static void end_taken(struct hp_thread *self, struct hp_chunk *old,
                      const struct hp_caller *caller, uint32_t flags,
                      bool nested) {
  const struct hp_cold *cold = hp_cold_of(old);
  const uint64_t now = hp_event_time(self, hp_clock_now());
  hp_growth_end(&self->growth, old, cold, caller->sp);
  const uint32_t stack = hp_free_stack(self, old, cold, caller, true);
  end_record(self, old, caller, stack, flags, nested, now);
}

/* The chunk at P ends, if it has a record; or that of OLD, if that is not NULL. */
static void end(struct hp_thread *self, void *p, struct hp_chunk *old,
                const struct hp_caller *caller, uint32_t flags) {
  const uint64_t outer = hp_gate_enter(self);
  if (!old)
    old = hp_beside_take((uintptr_t)p);
  if (HP_LIKELY(old != NULL))
    end_taken(self, old, caller, flags, outer != 0);
  hp_gate_leave(self, outer, HP_AN_END);
}

/* ---- calls --------------------------------------------------------------- */

static void *ask_new(void *p, const struct hp_request *request, int how) {
  (void)p, (void)how;
  if (request->zeroed)
    return hp_next.calloc(1, request->size);
  if (request->alignment)
    return hp_next.memalign(request->alignment, request->size);
  return hp_next.malloc(request->size);
}

static void *ask_resized(void *p, const struct hp_request *request, int how) {
  (void)how;
  return hp_next.realloc(p, request->size);
}

static void *allocate(hp_beside_ask *ask, const struct hp_request *request,
                      int how) {
  if (HP_UNLIKELY(is_inside))
    return ask(NULL, request, how);
  struct hp_thread *self = hp_thread_get();
  enter(self);
  void *p = ask(NULL, request, how);
  leave(self, request->entry);
  if (HP_UNLIKELY(!p))
    hp_count_failed(request->size);
  else if (HP_LIKELY(self != NULL))
    begin(self, p, request, NULL);
  else
    __atomic_fetch_add(&hp_beside_unrecorded, 1, __ATOMIC_RELAXED);
  return p;
}

static void *reallocate(hp_beside_ask *ask, void *p,
                        const struct hp_request *request, int how) {
  if (HP_UNLIKELY(is_inside))
    return ask(p, request, how);
  struct hp_thread *self = hp_thread_get();
  struct hp_chunk *old = HP_LIKELY(self != NULL) ? take_old(self, p) : NULL;
  enter(self);
  void *moved = ask(p, request, how);
  leave(self, HP_ENTRY_REALLOC);
  if (HP_LIKELY(moved && self)) {
    begin(self, moved, request, old);
  } else if (!moved && request->size) {
    hp_count_failed(request->size);
    if (old)
      put_back(self, p, old);
  } else if (old) { /* a size of 0 was a free */
    end(self, p, old, &request->caller, 0);
  }
  return moved;
}

static void *ask_none(void *p, const struct hp_request *request, int how) {
  (void)request, (void)how;
  hp_next.free(p);
  return NULL;
}

static void deallocate(hp_beside_ask *ask, void *p,
                       const struct hp_caller *caller, uint32_t flags,
                       int how) {
  if (HP_UNLIKELY(is_inside)) {
    ask(p, NULL, how);
    return;
  }
  struct hp_thread *self = hp_thread_get();
  if (HP_LIKELY(self != NULL))
    end(self, p, NULL, caller, flags);
  enter(self);
  ask(p, NULL, how);
  leave(self, flags ? HP_ENTRY_DELETE : HP_ENTRY_FREE);
}

void *hp_beside_allocate(const struct hp_request *request) {
  return allocate(ask_new, request, 0);
}

void *hp_beside_reallocate(void *p, const struct hp_request *request) {
  return reallocate(ask_resized, p, request, 0);
}

void hp_beside_free(void *p, const struct hp_caller *caller, uint32_t flags) {
  deallocate(ask_none, p, caller, flags, 0);
}

#ifdef HEAPPROF_PRELOADED
void *hp_beside_allocate_by(hp_beside_ask *ask,
                            const struct hp_request *request, int how) {
  return allocate(ask, request, how);
}

void *hp_beside_reallocate_by(hp_beside_ask *ask, void *p,
                              const struct hp_request *request, int how) {
  return reallocate(ask, p, request, how);
}

void hp_beside_free_by(hp_beside_ask *ask, void *p,
                       const struct hp_caller *caller, int how) {
  deallocate(ask, p, caller, 0, how);
}
#endif

/* ---- start ---------------------------------------------------------------- */

bool hp_beside_start(void) {
  hp_beside = hp_next_find();
  if (hp_beside) {
    measure_timer();
    hp_bare_free_of_others = hp_beside_free;
    hp_heap_bytes = (size_t)1 << HP_REGION_SHIFT;
  }
  return hp_beside;
}

const char *hp_beside_path(void) { return hp_beside ? hp_next_path() : NULL; }
