/* allocator.c - joins slots, records, points and clock into chunks.
   Every chunk begins in begin_chunk() and ends in end_chunk().
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/allocator.h"
#include "chunk/access.h"
#include "chunk/accessed_bytes.h"
#include "chunk/allocator_totals.h"
#include "chunk/growth.h"
#include "chunk/live_bytes.h"
#include "chunk/plain.h"
#include "chunk/sample.h"
#include "heap/owner.h"
#include "hook_abi.h"
#include "origin/call_stack.h"
#include "origin/point.h"
#include "system/check.h"
#include "system/clock.h"
#include "system/options.h"
#include "system/real_libc.h"
#include "system/sanitizer_binding.h"
#include "thread/gate.h"
#include "thread/thread_state.h"

/* Budgets of one call from a function of main's that finds a slot in its thread's
   cache, room in the ring and the stack of the call before; the loop around it
   is counted, too (test/performance/allocation-budget.c):
     malloc: at most 420 instructions
     free: at most 305 instructions */

/* Of each point the first so many chunks, then those that are chosen, read the
   clock at every access while they are young (access.h). */
#define HP_EXACT_FIRST 64u

/* ---- time ---------------------------------------------------------------- */

/* NOW, but later than any other event of this thread: so (t0, thread) names a
   chunk, and a clock that steps back cannot reorder a thread's own events. */
static uint64_t event_time(struct hp_thread *self, uint64_t now) {
  hp_clock_noted(now);
  if (now <= self->last_event)
    now = self->last_event + 1;
  return self->last_event = now;
}

/* xorshift64 */
static uint64_t next_random(struct hp_thread *self) {
  self->random ^= self->random << 13;
  self->random ^= self->random >> 7;
  return self->random ^= self->random << 17;
}

/* Time spent here is an estimate: on average one call in HP_TIMED_ONE_IN is
   timed, at random intervals, and stands for all of them. */
#define HP_TIMED_ONE_IN 64u

static HP_COLD void choose_timed(struct hp_thread *self) {
  self->until_timed =
      1 + (uint32_t)(next_random(self) % (2 * HP_TIMED_ONE_IN - 1));
  self->timed_since = hp_clock_now();
}

static void start_timing(struct hp_thread *self) {
  if (HP_UNLIKELY(!--self->until_timed))
    choose_timed(self);
}

static HP_COLD void add_timed(struct hp_thread *self) {
  self->allocator_ticks +=
      (hp_clock_now() - self->timed_since) * HP_TIMED_ONE_IN;
  self->timed_since = 0;
}

static void end_timing(struct hp_thread *self) {
  if (HP_UNLIKELY(self->timed_since))
    add_timed(self);
}

/* ---- slots --------------------------------------------------------------- */

/* *START: its address.  NESTED: this is a handler's, and its thread's caches
   may be in the middle of a change. */
HP_INLINE struct hp_chunk *take_slot(struct hp_thread *self, size_t size,
                                     size_t alignment, bool nested,
                                     void **start) {
  struct hp_chunk *chunk = NULL;
  size_t front = hp_front_for(alignment);
  const size_t need = hp_slot_need(size, front);
  if (HP_LIKELY(size < HP_SMALL_MAX && need <= HP_SMALL_MAX)) {
    unsigned size_class = hp_slot_class(need);
    chunk = HP_UNLIKELY(nested)
                ? hp_primary_take_shared(size_class, HP_PROFILED)
                : hp_primary_take(&self->caches[size_class], size_class);
  } else if (size <= hp_allocator_max_size()) {
    chunk = hp_secondary_take(size, alignment, HP_PROFILED);
    front = hp_large_front(chunk, size, alignment);
  }
  *start = (void *)((uintptr_t)chunk + front); /* of no use without a chunk */
  return chunk;
}

/* Bytes that the chunk may have where it is. */
static size_t room_of(const struct hp_chunk *chunk) {
  size_t front = hp_front_of(hp_cold_of(chunk)->word);
  return (hp_chunk_is_large(chunk)
              ? hp_large_extent(front + hp_chunk_size(chunk))
              : (size_t)1 << hp_heap_slot_shift(hp_chunk_class(chunk))) -
         front;
}

/* ---- a chunk begins ------------------------------------------------------ */

/* The count stops there, so that no thread writes what others read. */
static bool is_among_first(struct hp_alloc_point *point) {
  return __atomic_load_n(&point->chunks, __ATOMIC_RELAXED) < HP_EXACT_FIRST &&
         __atomic_fetch_add(&point->chunks, 1, __ATOMIC_RELAXED) <
             HP_EXACT_FIRST;
}

static bool is_to_be_exact(struct hp_alloc_point *point, uint64_t t0) {
  return hp_options.exact_time || (point && is_among_first(point)) ||
         hp_access_is_chosen(t0);
}

/* A resized chunk of which the call says nothing stays what it was. */
static struct hp_alloc_point *find_point(struct hp_thread *self,
                                         const struct hp_request *request,
                                         const struct hp_chunk *resized) {
  if (HP_UNLIKELY(!hp_recording))
    return NULL;
  const struct hp_type *type = hp_type_of_chunk(
      request->entry == HP_ENTRY_STRDUP ? &hp_type_char : request->caller.type,
      request->size, request->caller.pc);
  const uint32_t before = resized ? hp_cold_of(resized)->point : 0;
  if (!type && before)
    type = hp_point_get(before)->type;
  uint32_t stack = hp_call_stack(&self->last_stack, &request->caller);
  return hp_point_intern(stack, request->entry, type);
}

/* A chunk that is not recorded is as one from before the window.  Of one that
   is, everything is, whether others are recorded or not when it ends. */
HP_INLINE void begin_chunk(struct hp_thread *self, struct hp_chunk *chunk,
                           const void *start, const struct hp_request *request,
                           struct hp_alloc_point *point, uint64_t now) {
  const size_t front = (size_t)((const char *)start - (const char *)chunk);
  uint64_t flags = HP_RECORD_LIVE | hp_front_code(front)
                                        << HP_RECORD_FRONT_SHIFT;
  if (request->zeroed)
    flags |= HP_RECORD_ZEROED;
  bool recorded = HP_LIKELY(hp_recording);
  bool exact = recorded && is_to_be_exact(point, now);
  if (exact)
    flags |= HP_RECORD_EXACT;
  if (HP_UNLIKELY(hp_sampling)) {
    flags |= hp_sample_rounding(self, request->size);
    hp_live_add(self, request->size);
  }
  if (front + request->size > UINT32_MAX) { /* halves of addresses repeat */
    flags |= HP_RECORD_HUGE;
    struct hp_others *huge = hp_others_of(chunk);
    huge->huge_lo = UINT64_MAX;
    huge->huge_hi = 0;
  }
  const uint64_t word = flags | request->size;
  const uint32_t id = point ? point->id : 0;
  const uint32_t thread = hp_thread_number();
  const uint16_t tag =
      hp_record_tag(word, thread) | (exact ? HP_THREAD_EXACT : 0);
  *chunk = (struct hp_chunk){.thread_writes = tag,
                             .reads_guard = (uint64_t)hp_guard_of(id)
                                            << HP_COUNT_BITS,
                             .lo = UINT32_MAX};
  struct hp_cold *cold = hp_cold_of(chunk);
  HP_CHECK(!(cold->word & HP_RECORD_LIVE)); /* given out twice */
  HP_CHECK(hp_front_of(word) == front && (word & HP_SIZE_MAX) == request->size);
  *cold =
      (struct hp_cold){.t0 = recorded ? now : 0, .point = id, .thread = thread};
  /* At last: give_live() may be looking. */
  __atomic_store_n(&cold->word, word, __ATOMIC_RELEASE);
  if (recorded) {
    hp_events_begin(&self->events, now,
                    word & (HP_SIZE_MAX | HP_RECORD_HEAVIER), id, thread);
    hp_growth_begin(&self->growth, chunk, id, now, request->size,
                    request->caller.sp);
  }
}

void *hp_allocate(const struct hp_request *request) {
  struct hp_thread *self = hp_thread_get();
  if (HP_UNLIKELY(!self)) {
    hp_count_failed(request->size);
    return NULL;
  }
  uint64_t outer = hp_gate_enter(self);
  start_timing(self);
  void *p;
  struct hp_chunk *chunk =
      take_slot(self, request->size, request->alignment, outer != 0, &p);
  if (HP_UNLIKELY(!chunk)) {
    hp_count_failed(request->size);
    hp_sample_undo(self, request->size);
    hp_gate_leave(self, outer, HP_A_BEGIN);
    return NULL;
  }
  if (request->zeroed && !hp_chunk_is_large(chunk))
    hp_real_memset(p, 0, request->size); /* large ones come zeroed */
  struct hp_alloc_point *point = find_point(self, request, NULL);
  uint64_t now = event_time(self, hp_clock_now());
  begin_chunk(self, chunk, p, request, point, now);
  end_timing(self);
  hp_gate_leave(self, outer, HP_A_BEGIN);
  return p;
}

/* ---- a chunk ends -------------------------------------------------------- */

/* Adds to ENTRY what other threads did to the chunk. */
static void add_others(struct hp_chunk_log *entry, uint64_t last,
                       uint64_t reads, uint64_t writes) {
  entry->reads = hp_add_saturated(entry->reads, reads);
  entry->writes = hp_add_saturated(entry->writes, writes);
  if (last > entry->last)
    entry->last = last;
}

/* Whether the program wrote over RECORD, that of a chunk of POINT in which TAG
   counts, which says LAST: its parts contradict each other, or time. */
HP_INLINE bool is_damaged(const struct hp_chunk *record, uint32_t point,
                          uint16_t tag, uint64_t last) {
  const uint64_t distant = (uint64_t)1 << 36; /* ticks: many seconds */
  return record->guard != hp_guard_of(point) || hp_chunk_tag(record) != tag ||
         last > hp_clock_coarse + distant;
}

/* What is left of such a chunk: what the allocator knows. */
static HP_COLD void forget_accesses(struct hp_chunk_log *entry) {
  entry->first = entry->last = entry->reads = entry->writes = 0;
  entry->lo = entry->hi = 0;
  entry->flags |= HP_CHUNK_OVERRUN;
}

static HP_COLD void report_damage(uint64_t size) {
  static bool said;
  if (!__atomic_exchange_n(&said, true, __ATOMIC_RELAXED))
    hp_sys_warn("the program wrote ahead of a chunk of %lu bytes or beyond the "
                "end of its neighbour; what is known of its accesses is lost "
                "(further such chunks are not named)",
                size);
}

/* What a record's flags say that is in the log, too. */
#define LOG_FLAGS                                                              \
  (HP_CHUNK_ZEROED | HP_CHUNK_MULTITHREAD | HP_CHUNK_OVERRUN |                 \
   HP_CHUNK_EXACT | HP_CHUNK_AGED | HP_CHUNK_GROWN)
#define IS_SAME(flag)                                                          \
  ((uint64_t)HP_CHUNK_##flag << HP_SIZE_BITS == HP_RECORD_##flag)
_Static_assert(IS_SAME(ZEROED) && IS_SAME(MULTITHREAD) && IS_SAME(OVERRUN) &&
                   IS_SAME(EXACT) && IS_SAME(AGED) && IS_SAME(GROWN),
               "at the same places");

/* Adds what threads other than the first did to the chunk of RECORD; LAST: of
   the first. */
static HP_NOINLINE void describe_others(struct hp_chunk_log *entry,
                                        const struct hp_chunk *record,
                                        uint64_t word, uint64_t last) {
  entry->last = last;
  const struct hp_others *others = hp_others_of(record);
  if (others->first && (!entry->first || others->first < entry->first))
    entry->first = others->first;
  uint64_t areas = others->areas;
  for (const struct hp_chunk *share; (share = hp_share_next(record, &areas));)
    add_others(entry, share->last, hp_chunk_reads(share),
               hp_chunk_writes(share));
  if (word & HP_RECORD_CROWD) {
    const struct hp_crowd *crowd = hp_crowd_of(record);
    add_others(entry, crowd->last, crowd->reads, crowd->writes);
  }
  if (entry->last < entry->first)
    entry->last = entry->first;
}

/* Records where more than the usual one is in use. */
#define WITH_OTHERS (HP_RECORD_MULTITHREAD | HP_RECORD_CROWD)

/* Puts into ENTRY the accessed bytes; the end of them. */
HP_INLINE uint64_t describe_bytes(struct hp_chunk_log *entry,
                                  const struct hp_chunk *record,
                                  uint64_t word) {
  if (HP_UNLIKELY(word & (WITH_OTHERS | HP_RECORD_HUGE))) {
    hp_accessed_bytes(record, &entry->lo, &entry->hi);
    return entry->hi;
  }
  uint32_t lo = record->lo, hi = record->hi;
  uint64_t end = 0;
  if (lo <= hi) {
    uint32_t start = (uint32_t)(uintptr_t)record + (uint32_t)hp_front_of(word);
    entry->lo = lo - start;
    end = (uint64_t)(hi - start) + 1;
  } else {
    entry->lo = 0;
  }
  return entry->hi = end;
}

/* Makes *ENTRY the chunk of RECORD, whose rest is COLD, but for what only its
   end says.  False if the program wrote over the record, or somebody changes
   it. */
HP_INLINE bool describe(struct hp_chunk_log *entry,
                        const struct hp_chunk *record,
                        const struct hp_cold *cold) {
  const uint64_t word = cold->word, size = word & HP_SIZE_MAX;
  const uint64_t first = cold->first, last = record->last;
  const uint32_t point = cold->point, thread = cold->thread;
  entry->t0 = cold->t0;
  entry->first = first;
  entry->last = last > first ? last : first; /* the coarse clock was behind */
  entry->size = size;
  entry->reads = hp_chunk_reads(record);
  entry->writes = hp_chunk_writes(record);
  entry->point = point;
  entry->thread = thread;
  entry->flags = (uint32_t)(word >> HP_SIZE_BITS) & LOG_FLAGS;
  entry->weight = hp_sample_weight(word);
  if (HP_UNLIKELY(word & HP_RECORD_GROWN))
    hp_growth_describe(entry, record);
  bool damaged = describe_bytes(entry, record, word) > size ||
                 is_damaged(record, point, hp_record_tag(word, thread), last);
  if (HP_UNLIKELY(damaged))
    forget_accesses(entry);
  if (HP_UNLIKELY(word & WITH_OTHERS))
    describe_others(entry, record, word, damaged ? 0 : last);
  return !damaged;
}

static HP_NOINLINE void clear_others(const struct hp_chunk *chunk,
                                     uint64_t word) {
  if (word & HP_RECORD_MULTITHREAD)
    hp_share_end(chunk);
  if (word & HP_RECORD_CROWD)
    *hp_crowd_of(chunk) = (struct hp_crowd){0};
}

HP_INLINE void forget_others(const struct hp_chunk *chunk,
                             const struct hp_cold *cold) {
  const uint64_t word = cold->word;
  if (HP_UNLIKELY(word & WITH_OTHERS))
    clear_others(chunk, word);
}

/* Says that the chunk ended; its slot may then be used anew.
   Chunks from before the window are only counted. */
HP_INLINE void end_chunk(struct hp_thread *self, const struct hp_chunk *chunk,
                         const struct hp_cold *cold,
                         const struct hp_caller *caller, uint32_t flags,
                         uint64_t now) {
  if (HP_UNLIKELY(cold->t0 < hp_clock_window_start)) {
    self->inherited_frees++;
    forget_others(chunk, cold);
    return;
  }
  if (HP_LIKELY(hp_events_wanted)) {
    struct hp_chunk_log *event = hp_events_end(&self->events);
    if (HP_UNLIKELY(!describe(event, chunk, cold)))
      report_damage(event->size);
    event->free_pc = caller->pc;
    event->free_thread = hp_thread_number();
    event->flags |= flags;
    event->step = hp_clock_chunk_step(now);
    __atomic_store_n(&event->t1, now, __ATOMIC_RELEASE);
  }
  forget_others(chunk, cold);
}

/* Makes a record one that no access changes. */
HP_INLINE void retire(struct hp_chunk *chunk, struct hp_cold *cold) {
  cold->word = 0;
  chunk->lo = UINT32_MAX;
  chunk->hi = 0;
}

/* The chunk of COLD has ended: its slot may be used anew. */
static void give_slot(struct hp_thread *self, struct hp_chunk *chunk,
                      struct hp_cold *cold, bool nested) {
  if (hp_chunk_is_large(chunk)) {
    const size_t size = cold->word & HP_SIZE_MAX;
    retire(chunk, cold);
    hp_secondary_give(chunk, HP_PROFILED, size);
    return;
  }
  retire(chunk, cold);
  unsigned size_class = hp_chunk_class(chunk);
  if (HP_UNLIKELY(nested))
    hp_primary_give_shared(size_class, HP_PROFILED, chunk);
  else
    hp_primary_give(&self->caches[size_class], size_class, chunk);
}

static HP_NOINLINE bool is_in_large(const void *p) {
  return hp_heap_holds(p) && hp_owner_checked(p).chunk;
}

/* The live chunk that begins at P, or NULL. */
HP_INLINE struct hp_chunk *chunk_at(const void *p) {
  if (HP_UNLIKELY(!hp_owner_is_small(p)) && !is_in_large(p))
    return NULL;
  struct hp_chunk *chunk =
      hp_heap_record((uintptr_t)p, (unsigned)((uintptr_t)p >> HP_REGION_SHIFT));
  uint64_t word = hp_cold_of(p)->word; /* of the slot that P lies in */
  bool live_here =
      HP_LIKELY(word & HP_RECORD_LIVE) &&
      HP_LIKELY((uintptr_t)p == (uintptr_t)chunk + hp_front_of(word));
  return live_here ? chunk : NULL;
}

/* P is no live chunk, or this thread has no block. */
static HP_COLD void refuse_free(const void *p, const struct hp_caller *caller) {
  if (chunk_at(p))
    hp_count_unrecorded_free();
  else
    hp_report_invalid(p, "free", caller);
}

void hp_deallocate(void *p, const struct hp_caller *caller) {
  struct hp_thread *self = hp_thread_get();
  struct hp_chunk *chunk = HP_LIKELY(self != NULL) ? chunk_at(p) : NULL;
  if (HP_UNLIKELY(!chunk)) {
    if (p)
      refuse_free(p, caller);
    return;
  }
  uint64_t outer = hp_gate_enter(self);
  start_timing(self);
  uint64_t now = event_time(self, hp_clock_now());
  struct hp_cold *cold = hp_cold_of(p); /* p lies in its slot */
  if (HP_UNLIKELY(hp_sampling))
    hp_live_take(self, cold->word & HP_SIZE_MAX);
  hp_growth_end(&self->growth, chunk, cold, caller->sp);
  end_chunk(self, chunk, cold, caller, 0, now);
  give_slot(self, chunk, cold, outer != 0);
  end_timing(self);
  hp_gate_leave(self, outer, HP_AN_END);
}

/* ---- realloc ------------------------------------------------------------- */

/* The copy of N bytes that a realloc makes, as an access at time NOW. */
static void record_copy(struct hp_chunk *chunk, uint64_t n, int kind,
                        uint64_t now) {
  if (!n)
    return;
  hp_access(chunk, hp_chunk_start(chunk), n, kind, 0);
  struct hp_cold *cold = hp_cold_of(chunk);
  chunk->last = now;
  if (cold->first > now) /* the copy was its first access */
    cold->first = now;
  cold->word |= HP_RECORD_EXACT; /* its last access is known: this one */
}

/* As an access of the new chunk, whose own are exact or not as before. */
static void record_new_copy(struct hp_chunk *chunk, uint64_t n, uint64_t now) {
  bool exact = hp_cold_of(chunk)->word & HP_RECORD_EXACT;
  record_copy(chunk, n, HP_ACCESS_WRITE, now);
  if (!exact)
    hp_cold_of(chunk)->word &= ~HP_RECORD_EXACT;
}

static void *move_plain(struct hp_thread *self, void *p,
                        const struct hp_request *request, uint64_t copied) {
  void *start = hp_plain_allocate(self, request);
  if (start) {
    hp_real_memcpy(start, p, copied);
    hp_plain_give(self, p);
  }
  return start;
}

/* The chunk at P ends, which is no sample; the new one is. */
static void *move_to_sample(struct hp_thread *self, void *p,
                            const struct hp_request *request, uint64_t copied) {
  uint64_t outer = hp_gate_enter(self);
  void *start;
  struct hp_chunk *new =
      take_slot(self, request->size, request->alignment, outer != 0, &start);
  if (HP_LIKELY(new != NULL)) {
    hp_real_memcpy(start, p, copied);
    struct hp_alloc_point *point = find_point(self, request, NULL);
    uint64_t now = event_time(self, hp_clock_now());
    begin_chunk(self, new, start, request, point, now);
    record_new_copy(new, copied, now);
    hp_plain_give(self, p);
  } else {
    hp_count_failed(request->size);
    start = NULL;
  }
  hp_gate_leave(self, outer, HP_A_BEGIN);
  return start;
}

/* The sample OLD ends; the new chunk is none. */
static void *move_from_sample(struct hp_thread *self, struct hp_chunk *old,
                              void *p, const struct hp_request *request,
                              uint64_t copied) {
  void *start = hp_plain_allocate(self, request);
  if (!start)
    return NULL;
  hp_real_memcpy(start, p, copied);
  uint64_t outer = hp_gate_enter(self);
  uint64_t now = event_time(self, hp_clock_now());
  record_copy(old, copied, HP_ACCESS_READ, now);
  struct hp_cold *cold = hp_cold_of(old);
  end_chunk(self, old, cold, &request->caller, HP_CHUNK_REALLOC, now);
  give_slot(self, old, cold, outer != 0);
  hp_gate_leave(self, outer, HP_AN_END);
  return start;
}

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* Where there is sampling, and the old chunk or the new one is no sample. */
static void *reallocate_between(struct hp_thread *self, void *p,
                                struct hp_chunk *old, bool sampled,
                                const struct hp_request *request) {
  void *start;
  const uint64_t size = old ? hp_chunk_size(old) : hp_plain_size(p);
  const uint64_t copied = least(size, request->size);
  hp_live_take(self, size); /* it ends before the new one begins */
  if (old) {
    start = move_from_sample(self, old, p, request, copied);
  } else if (sampled) {
    start = move_to_sample(self, p, request, copied);
  } else if (hp_plain_resize(p, request->size)) {
    hp_live_add(self, request->size);
    start = p;
  } else {
    start = move_plain(self, p, request, copied);
  }
  if (HP_UNLIKELY(!start)) {
    hp_live_add(self, size);
    hp_sample_undo(self, request->size);
  }
  return start;
}

void *hp_reallocate(void *p, const struct hp_request *request) {
  struct hp_chunk *old = chunk_at(p);
  struct hp_thread *self = hp_thread_get();
  bool plain =
      !old && HP_UNLIKELY(hp_plain_owns(p)) && hp_plain_size(p) != SIZE_MAX;
  if (HP_UNLIKELY(!old && !plain)) {
    hp_report_invalid(p, "realloc", &request->caller);
    return NULL;
  }
  if (HP_UNLIKELY(!self)) {
    hp_count_failed(request->size);
    return NULL;
  }
  if (HP_UNLIKELY(hp_sampling)) {
    bool sampled = hp_sample_hit(self, request->size);
    if (plain || !sampled)
      return reallocate_between(self, p, old, sampled, request);
  }
  uint64_t outer = hp_gate_enter(self);
  start_timing(self);
  uint64_t old_size = hp_chunk_size(old);
  uint64_t copied = least(old_size, request->size);
  const bool grows = request->size > old_size && old_size &&
                     hp_cold_of(old)->t0 >= hp_clock_window_start;
  const struct hp_chain_state before = hp_growth_state(old);
  /* The chunk may keep its slot if another one would be of the same size. */
  bool fits =
      request->size <= hp_allocator_max_size() &&
      request->size <= room_of(old) &&
      (hp_chunk_is_large(old)
           ? request->size + hp_large_granule(request->size) > room_of(old)
           : hp_chunk_class(old) ==
                 hp_slot_class(hp_slot_need(request->size, hp_front_for(0))));
  struct hp_chunk *new = old;
  void *start = p;
  if (!fits) {
    new =
        take_slot(self, request->size, request->alignment, outer != 0, &start);
    if (!new) {
      hp_count_failed(request->size);
      hp_sample_undo(self, request->size);
      hp_gate_leave(self, outer, HP_ANY_EVENT);
      return NULL;
    }
    hp_real_memcpy(start, p, copied);
  }
  struct hp_alloc_point *point = find_point(self, request, old);
  uint64_t now = event_time(self, hp_clock_now());
  record_copy(old, copied, HP_ACCESS_READ, now);
  struct hp_cold *cold = hp_cold_of(old);
  if (HP_UNLIKELY(hp_sampling))
    hp_live_take(self, old_size);
  end_chunk(self, old, cold, &request->caller, HP_CHUNK_REALLOC, now);
  if (!fits) {
    give_slot(self, old, cold, outer != 0);
  } else {
    retire(old, cold); /* give_live() shall not see parts of two as one */
    if (hp_chunk_is_large(old))
      hp_secondary_resized(old, old_size, request->size);
  }
  begin_chunk(self, new, start, request, point, now);
  record_new_copy(new, copied, now);
  if (grows && HP_LIKELY(hp_recording))
    hp_growth_link(new, &before, old_size, copied, HP_CHAIN_SEEN);
  end_timing(self);
  hp_gate_leave(self, outer, HP_ANY_EVENT);
  return start;
}

/* ---- questions ----------------------------------------------------------- */

size_t hp_usable_size(const void *p) {
  const struct hp_chunk *chunk = p ? chunk_at(p) : NULL;
  if (chunk)
    return hp_chunk_size(chunk);
  size_t plain = hp_plain_owns(p) ? hp_plain_size(p) : SIZE_MAX;
  return plain != SIZE_MAX ? plain : 0;
}

struct hp_chunk *hp_chunk_at(const void *p) { return chunk_at(p); }

bool hp_heap_owns(const void *p) { return hp_heap_holds(p); }

void hp_allocator_start_window(void) {
  hp_requests_start_window();
  for (struct hp_thread *t = hp_threads_all(); t; t = t->next)
    t->inherited_frees = t->allocator_ticks = t->requests = t->request_bytes =
        0;
  hp_live_start_window();
}

void hp_allocator_totals(struct hp_dump_totals *totals) {
  for (const struct hp_thread *t = hp_threads_all(); t; t = t->next) {
    totals->inherited_frees += t->inherited_frees;
    totals->allocator_ticks += t->allocator_ticks;
    totals->requests += t->requests;
    totals->request_bytes += t->request_bytes;
  }
  const struct hp_live_bytes heap = hp_live_bytes();
  totals->heap_bytes = heap.live;
  totals->heap_peak = heap.peak;
  totals->heap_peak_error = heap.peak_error;
  hp_request_totals(totals);
  totals->threads = hp_threads_count();
}

uint64_t hp_allocator_requests(void) {
  uint64_t sum = 0;
  for (const struct hp_thread *t = hp_threads_all(); t; t = t->next)
    sum += __atomic_load_n(&t->requests, __ATOMIC_RELAXED);
  return sum;
}

static void give_live(const struct hp_chunk *chunk, uint64_t end,
                      void (*each)(const struct hp_chunk_reference *, void *),
                      void *arg) {
  const struct hp_cold *cold = hp_cold_of(chunk);
  struct hp_chunk_reference live = {
      .t0 = __atomic_load_n(&cold->t0, __ATOMIC_ACQUIRE),
      .point = cold->point,
      .thread = cold->thread,
      .chunk = chunk};
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  /* If the slot got another chunk meanwhile, the end of the one that was asked
     for is among the events. */
  if ((__atomic_load_n(&cold->word, __ATOMIC_ACQUIRE) & HP_RECORD_LIVE) &&
      __atomic_load_n(&cold->t0, __ATOMIC_RELAXED) == live.t0 &&
      live.t0 >= hp_clock_window_start && live.t0 <= end)
    each(&live, arg);
}

void hp_allocator_each_live(uint64_t end,
                            void (*each)(const struct hp_chunk_reference *live,
                                         void *arg),
                            void *arg) {
  for (unsigned c = 0; c < HP_ALL_CLASS_COUNT; c++) {
    const uint64_t slots = hp_owner_slots(c);
    for (uint64_t i = 0; i < slots; i++)
      give_live(hp_heap_slot(c, i), end, each, arg);
  }
}

bool hp_allocator_describe(const struct hp_chunk_reference *live,
                           struct hp_chunk_log *chunk) {
  const struct hp_chunk *record = live->chunk;
  const struct hp_cold *cold = hp_cold_of(record);
  bool sound = describe(chunk, record, cold);
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  if (!(cold->word & HP_RECORD_LIVE) || cold->t0 != live->t0)
    return false;
  if (HP_UNLIKELY(!sound))
    report_damage(chunk->size);
  return true;
}
