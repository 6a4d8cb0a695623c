/* bare_chunk.c - see bare_chunk.h: the steps of allocator.c and reallocate.c, with
   records that are found by a multiplication.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/bare_chunk.h"

#include "chunk/chunk_life.h"
#include "chunk/overrun.h"
#include "chunk/quick_chunk.h"
#include "chunk/reallocate.h"
#include "chunk/resizes.h"
#include "chunk/unprofiled.h"
#include "system/real_libc.h"

static HP_NOINLINE struct hp_bare_slot slot_of(const void *p) {
  return hp_bare_slot_of(p);
}

static HP_ONCE struct hp_bare *live_at(const void *p) { return hp_bare_at(p); }

/* ---- slots --------------------------------------------------------------- */

/* A thread's cache begins when it is first used: most have none. */
static struct hp_cache *cache_of(struct hp_thread *self, unsigned size_class) {
  struct hp_cache *cache = &self->bare[size_class];
  if (HP_UNLIKELY(!cache->max)) {
    cache->range = HP_BARE;
    cache->max = (uint16_t)hp_cache_max_of(hp_bare_slot_size(size_class));
  }
  return cache;
}

/* Whether a chunk of this REQUEST may be one: it needs no page of its own
   (page_sample.h), and is small. */
HP_INLINE bool may_be(const struct hp_thread *self,
                      const struct hp_request *request) {
  return hp_bare_is_on && request->size <= HP_BARE_MAX &&
         request->alignment <= 16 && self->small_max &&
         self->number < HP_BARE_THREADS;
}

static HP_ONCE void *take(struct hp_thread *self, size_t size, bool nested) {
  const unsigned size_class = hp_bare_class(size);
  return HP_UNLIKELY(nested)
             ? hp_primary_take_shared(size_class, HP_BARE)
             : hp_primary_take(cache_of(self, size_class), size_class);
}

static HP_ONCE void give(struct hp_thread *self, void *p,
                         struct hp_bare *record, bool nested) {
  const unsigned size_class =
      (unsigned)(((uintptr_t)p - HP_BARE_BASE) >> HP_PLAIN_REGION_SHIFT);
  struct hp_cache *cache = &self->bare[size_class];
  record->word = 0;
  if (HP_UNLIKELY(nested))
    hp_primary_give_shared(size_class, HP_BARE, p);
  else if (HP_UNLIKELY(cache->count >= cache->max))
    hp_primary_give(cache_of(self, size_class), size_class, p);
  else
    cache->free[cache->count++] = p;
}

/* ---- growth -------------------------------------------------------------- */

/* What growth.h asks of two chunks, of which the first is one of these and the
   second may be any: copies are named by where it begins, or by its record. */
struct successor {
  uint64_t t0, size, word; /* word: flags */
  uint32_t thread;
  struct hp_bare *record; /* NULL: it is a profiled one */
  struct hp_chunk *chunk;
};

static struct successor bare_successor(uintptr_t start,
                                       struct hp_bare *record) {
  return (struct successor){
      .t0 = hp_bare_t0(record),
      /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a chunk has one */
      .size = hp_bare_size_of(record->word),
      .word = record->word,
      .thread = hp_bare_thread_of(record->when, record->word),
      .record = record,
      .chunk = (struct hp_chunk *)start};
}

static struct successor profiled_successor(struct hp_chunk *chunk) {
  const struct hp_cold *cold = hp_cold_of(chunk);
  return (struct successor){.t0 = cold->t0,
                            .size = cold->word & HP_SIZE_MAX,
                            .word = cold->word,
                            .thread = cold->thread,
                            .chunk = chunk};
}

/* The live chunk that begins at TO, if it begins there. */
static bool find_successor(struct successor *it, const void *to) {
  struct hp_chunk *chunk;
  struct hp_bare *record;
  if (hp_bare_holds(to)) {
    if (!(record = live_at(to)))
      return false;
    *it = bare_successor((uintptr_t)to, record);
  } else {
    if (!hp_heap_holds(to) || !(chunk = hp_live_chunk_at(to)))
      return false;
    *it = profiled_successor(chunk);
  }
  return true;
}

static struct hp_chain_state state_of(uintptr_t start,
                                      const struct hp_bare *record) {
  if (record->word & HP_RECORD_GROWN)
    return *hp_bare_chain(start, record);
  return (struct hp_chain_state){.first = hp_bare_size_of(record->word),
                                 .length = 1};
}

static void link(const struct successor *to,
                 const struct hp_chain_state *before, uint64_t size,
                 uint64_t copied, enum hp_chain kind) {
  if (!to->record) {
    hp_growth_link(to->chunk, before, size, copied, kind);
    return;
  }
  hp_growth_put(hp_bare_chain((uintptr_t)to->chunk, to->record), before, size,
                copied, kind);
  __atomic_fetch_or(&to->record->word, HP_RECORD_GROWN, __ATOMIC_RELEASE);
}

void hp_bare_copied(const void *to, const void *from, size_t n) {
  struct hp_thread *self = hp_thread_self;
  const struct hp_bare_slot source = slot_of(from);
  struct successor chunk;
  if (!self || !source.record || !(source.record->word & HP_RECORD_LIVE))
    return;
  const uint64_t size = hp_bare_size_of(source.record->word),
                 t0 = hp_bare_t0(source.record);
  if (n < size / HP_GROWTH_PARTS || !find_successor(&chunk, to) ||
      chunk.size <= size || chunk.t0 <= t0 ||
      chunk.thread != hp_thread_self_number)
    return;
  struct hp_chunk *name = (struct hp_chunk *)source.start;
  struct hp_growth_copy *copy = hp_growth_copy_of(&self->growth, name);
  if (hp_growth_has_better(copy, name, chunk.chunk, chunk.t0, n))
    return;
  copy->reads = 0;
  hp_growth_note(copy, name, t0, chunk.chunk, chunk.t0, n);
}

/* The chunk of RECORD is freed. */
static void end_growth(struct hp_thread *self, uintptr_t start,
                       const struct hp_bare *record) {
  const struct hp_chunk *name = (const struct hp_chunk *)start;
  struct hp_growth_copy *copy = hp_growth_copy_of(&self->growth, name);
  self->growth.begun[hp_bare_point_of(record->word) % HP_GROWTH_BEGUN].size = 0;
  if (HP_LIKELY(copy->from != name))
    return;
  copy->from = NULL;
  if (copy->from_t0 != hp_bare_t0(record))
    return;
  struct successor to;
  if (hp_bare_holds(copy->to))
    to = bare_successor((uintptr_t)copy->to, slot_of(copy->to).record);
  else
    to = profiled_successor((struct hp_chunk *)(uintptr_t)copy->to);
  const uint64_t size = hp_bare_size_of(record->word);
  if ((to.word & (HP_RECORD_LIVE | HP_RECORD_GROWN)) != HP_RECORD_LIVE ||
      to.t0 != copy->to_t0 || to.thread != hp_thread_self_number ||
      copy->bytes < size - size / 4)
    return;
  const struct hp_chain_state before = state_of(start, record);
  link(&to, &before, size, copy->bytes,
       copy->has_others || copy->reads ? HP_CHAIN_ALIKE : HP_CHAIN_SEEN);
}

/* ---- a chunk begins ------------------------------------------------------ */

/* These are long, and written once: there are programs that never need them. */
static HP_ONCE struct hp_alloc_point *point_of(struct hp_thread *self,
                                               const struct hp_request *request,
                                               uint32_t before) {
  return hp_find_point(self, request, before);
}

static HP_ONCE void leave(struct hp_thread *self, uint64_t outer,
                          enum hp_events_kind kind) {
  hp_gate_leave(self, outer, kind);
}

static HP_ONCE uint64_t enter(struct hp_thread *self) {
  const uint64_t outer = hp_gate_enter(self);
  hp_start_timing(self);
  return outer;
}

/* As hp_begin_chunk(). */
static HP_ONCE void begin(struct hp_thread *self, struct hp_bare *record,
                          const struct hp_request *request,
                          struct hp_alloc_point *point, uint64_t now,
                          bool recorded) {
  const uint32_t id = point ? hp_point_id(point) : 0, thread = self->number;
  uint64_t word = hp_bare_word(request->size, id, thread, HP_RECORD_LIVE);
  if (request->zeroed)
    word |= HP_RECORD_ZEROED;
  if (recorded && hp_is_to_be_exact(point, now))
    word |= HP_RECORD_EXACT; /* its free is looked at (free_stack.h) */
  HP_CHECK(record && !(record->word & HP_RECORD_LIVE)); /* given out twice */
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): P is a chunk, which has one */
  record->when = hp_bare_when(recorded ? now : 0, thread);
  /* At last: hp_allocator_each_live() may be looking. */
  __atomic_store_n(&record->word, word, __ATOMIC_RELEASE);
  if (recorded) {
    hp_events_begin(&self->events, now, request->size, id, thread);
    self->growth.begun[id % HP_GROWTH_BEGUN].size = 0;
  }
}

void *hp_bare_allocate(const struct hp_request *request) {
  struct hp_thread *self = hp_thread_get();
  if (HP_UNLIKELY(!self) || !may_be(self, request))
    return NULL;
  const uint64_t outer = enter(self);
  void *p = take(self, request->size, outer != 0);
  if (HP_UNLIKELY(!p)) {
    self->timed_since = 0;
    leave(self, outer, HP_A_BEGIN);
    return NULL;
  }
  if (request->zeroed)
    hp_real_memset(p, 0, request->size);
  struct hp_alloc_point *point = point_of(self, request, 0);
  const uint64_t now = hp_event_time(self, hp_clock_now());
  begin(self, slot_of(p).record, request, point, now, hp_recording);
  hp_end_timing(self, request->entry);
  leave(self, outer, HP_A_BEGIN);
  return p;
}

void *hp_bare_allocate_quickly(const struct hp_request *request) {
  struct hp_thread *self = hp_thread_self;
  if (HP_UNLIKELY(!self) || HP_UNLIKELY(!hp_quick_enter(self, HP_GATE_BARE)))
    return NULL;
  if (HP_UNLIKELY(!may_be(self, request)))
    return hp_quick_refuse(self);
  const unsigned size_class = hp_bare_class(request->size);
  struct hp_cache *cache = &self->bare[size_class];
  if (HP_UNLIKELY(!cache->count))
    return hp_quick_refuse(self);
  const uint32_t point = hp_quick_point(self, request);
  if (HP_UNLIKELY(!point))
    return hp_quick_refuse(self);
  void *p = cache->free[--cache->count];
  if (HP_UNLIKELY(request->zeroed))
    hp_quick_zero(p, request->size);
  self->until_timed--;
  begin(self, hp_bare_record_of(p, size_class), request, hp_point_at(point),
        hp_quick_time(self), true);
  leave(self, 0, HP_A_BEGIN);
  return p;
}

/* ---- a chunk ends -------------------------------------------------------- */

void hp_bare_describe(struct hp_chunk_log *entry, const struct hp_bare *record,
                      uintptr_t start) {
  const uint64_t word = record->word;
  entry->t0 = hp_bare_t0(record);
  entry->size = hp_bare_size_of(word);
  entry->point = hp_bare_point_of(word);
  entry->thread = hp_bare_thread_of(record->when, word);
  entry->flags = (uint32_t)(word >> HP_SIZE_BITS) & HP_LOG_FLAGS &
                 ~(uint32_t)HP_CHUNK_EXACT;
  entry->weight = 1;
  entry->first = entry->last = entry->reads = entry->writes = 0;
  entry->lo = entry->hi = 0;
  if (HP_UNLIKELY(word & HP_RECORD_GROWN))
    hp_growth_describe_chain(entry, hp_bare_chain(start, record));
}

/* As hp_end_chunk(). */
static HP_ONCE void end(struct hp_thread *self, const void *p,
                        const struct hp_bare *record,
                        const struct hp_caller *caller, uint32_t stack,
                        uint32_t flags, uint64_t now) {
  if (HP_UNLIKELY(hp_bare_t0(record) < hp_clock_window_start)) {
    self->inherited_frees++;
    return;
  }
  if (HP_UNLIKELY(!hp_events_wanted))
    return;
  struct hp_chunk_log *event = hp_events_end(&self->events);
  hp_bare_describe(event, record, (uintptr_t)p);
  hp_tell_end(event, p, caller->pc, stack, hp_thread_number(), flags, now);
}

void (*hp_bare_free_of_others)(void *p, const struct hp_caller *caller,
                               uint32_t flags);

static HP_COLD void end_without_record(void *p, const struct hp_caller *caller,
                                       uint32_t flags) {
  if (hp_bare_free_of_others)
    hp_bare_free_of_others(p, caller, flags);
  else
    hp_report_invalid(p, "free", caller);
}

void hp_bare_deallocate(void *p, const struct hp_caller *caller,
                        uint32_t flags) {
  struct hp_thread *self = hp_thread_get();
  struct hp_bare *record = live_at(p);
  if (HP_UNLIKELY(!record)) {
    end_without_record(p, caller, flags);
    return;
  }
  if (HP_UNLIKELY(!self)) {
    hp_count_unrecorded_free();
    return;
  }
  const uint64_t outer = enter(self);
  const uint64_t now = hp_event_time(self, hp_clock_now());
  end_growth(self, (uintptr_t)p, record);
  const uint32_t stack = HP_UNLIKELY(record->word & hp_free_stacks_of)
                             ? hp_free_stack_bare(self, record, caller)
                             : HP_STACK_NONE;
  end(self, p, record, caller, stack, flags, now);
  give(self, p, record, outer != 0);
  hp_end_timing(self, flags ? HP_ENTRY_DELETE : HP_ENTRY_FREE);
  leave(self, outer, HP_AN_END);
}

/* ---- realloc ------------------------------------------------------------- */

/* There is no memory for the profile of what comes after the chunk at P. */
static HP_COLD void *move_to_unprofiled(struct hp_thread *self, void *p,
                                        struct hp_bare *record,
                                        const struct hp_request *request,
                                        uint64_t copied) {
  void *start = hp_unprofiled_allocate(self, request);
  if (!start)
    return NULL;
  hp_real_memcpy(start, p, copied);
  const uint64_t outer = hp_gate_enter(self);
  const uint64_t now = hp_event_time(self, hp_clock_now());
  end(self, p, record, &request->caller, HP_STACK_NONE, HP_CHUNK_REALLOC, now);
  give(self, p, record, outer != 0);
  leave(self, outer, HP_AN_END);
  return start;
}

/* Where the new chunk is to begin: at P, if it would get as large a slot; in a
   profiled one, *PROFILED; NULL: there is no room. */
static void *place_for(struct hp_thread *self, void *p, uint64_t old_size,
                       const struct hp_request *request, bool nested,
                       struct hp_chunk **profiled) {
  void *start = NULL;
  *profiled = NULL;
  if (request->size <= HP_BARE_MAX &&
      hp_bare_class(request->size) == hp_bare_class(old_size))
    return p;
  if (may_be(self, request))
    start = take(self, request->size, nested);
  if (start)
    return start;
  *profiled = hp_take_slot(self, request->size, 0, nested, &start);
  return *profiled ? start : NULL;
}

void *hp_bare_reallocate(void *p, const struct hp_request *request) {
  struct hp_thread *self = hp_thread_get();
  struct hp_bare *record = live_at(p);
  if (HP_UNLIKELY(!record)) {
    hp_report_invalid(p, "realloc", &request->caller);
    return NULL;
  }
  if (HP_UNLIKELY(!self)) {
    hp_count_failed(request->size);
    return NULL;
  }
  const uint64_t outer = enter(self);
  const uint64_t old_size = hp_bare_size_of(record->word),
                 copied = old_size < request->size ? old_size : request->size;
  const bool grows = request->size > old_size && old_size &&
                     hp_bare_t0(record) >= hp_clock_window_start;
  const struct hp_chain_state before = state_of((uintptr_t)p, record);
  struct hp_chunk *profiled;
  void *start = place_for(self, p, old_size, request, outer != 0, &profiled);
  if (HP_UNLIKELY(!start)) {
    leave(self, outer, HP_ANY_EVENT);
    start = move_to_unprofiled(self, p, record, request, copied);
    hp_end_timing(self, HP_ENTRY_REALLOC);
    return start;
  }
  if (start != p)
    hp_real_memcpy(start, p, copied);
  struct hp_alloc_point *point =
      point_of(self, request, hp_bare_point_of(record->word));
  const uint64_t now = hp_event_time(self, hp_clock_now());
  end(self, p, record, &request->caller, point ? point->stack : 0,
      HP_CHUNK_REALLOC, now);
  if (start != p)
    give(self, p, record, outer != 0);
  else
    record->word = 0; /* as hp_retire() */
  struct successor to;
  if (profiled) {
    hp_begin_copied(self, profiled, start, request, point, now, copied);
    to = profiled_successor(profiled);
  } else {
    begin(self, slot_of(start).record, request, point, now, hp_recording);
    to = bare_successor((uintptr_t)start, slot_of(start).record);
  }
  if (HP_LIKELY(point != NULL))
    hp_resize_note(hp_point_id(point), old_size, request->size,
                   start == p ? NULL : &copied);
  if (grows && HP_LIKELY(hp_recording))
    link(&to, &before, old_size, copied, HP_CHAIN_SEEN);
  hp_end_timing(self, HP_ENTRY_REALLOC);
  leave(self, outer, HP_ANY_EVENT);
  return start;
}

/* ---- questions and accesses ---------------------------------------------- */

size_t hp_bare_size(const void *p) {
  const struct hp_bare *record = live_at(p);
  return record ? hp_bare_size_of(record->word) : SIZE_MAX;
}

HP_COLD void hp_bare_note_overrun(struct hp_bare *record, uint64_t beyond,
                                  int kind, uintptr_t pc) {
  const bool reads = kind & HP_ACCESS_READ, writes = kind & HP_ACCESS_WRITE;
  __atomic_fetch_or(&record->word, HP_RECORD_OVERRUN, __ATOMIC_RELAXED);
  hp_overrun_note(
      &(struct hp_overrun_entry){.beyond = beyond,
                                 .read_pc = reads ? pc : 0,
                                 .write_pc = writes ? pc : 0,
                                 .point = hp_bare_point_of(record->word),
                                 .flags = (reads ? HP_OVERRUN_READ : 0) |
                                          (writes ? HP_OVERRUN_WRITTEN : 0)});
}
