/* reallocate.c - see reallocate.h: one chunk ends, and one begins that got its
   bytes; either may be one that is not sampled.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/reallocate.h"

#include "chunk/chunk_life.h"
#include "chunk/contents.h"
#include "chunk/cut_block.h"
#include "chunk/member_end.h"
#include "chunk/members.h"
#include "chunk/plain.h"
#include "chunk/resizes.h"
#include "chunk/unprofiled.h"
#include "chunk/watch.h"
#include "system/real_libc.h"

/* The copy of N bytes that a realloc makes, as an access at time NOW. */
static void record_copy(struct hp_chunk *chunk, uint64_t n, int kind,
                        uint64_t now) {
  if (HP_UNLIKELY(hp_chunk_tag(chunk) == HP_THREAD_LATE))
    hp_watch_leave(chunk);
  if (!n || !hp_access_hooked)
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
  if (HP_UNLIKELY(hp_members_of) && hp_access_hooked)
    hp_members_range((const void *)hp_chunk_start(chunk), n, HP_ACCESS_WRITE,
                     0);
  record_copy(chunk, n, HP_ACCESS_WRITE, now);
  if (!exact)
    hp_cold_of(chunk)->word &= ~HP_RECORD_EXACT;
}

HP_NOINLINE void hp_begin_copied(struct hp_thread *self, struct hp_chunk *chunk,
                                 const void *start,
                                 const struct hp_request *request,
                                 struct hp_alloc_point *point, uint64_t now,
                                 uint64_t copied) {
  hp_begin_chunk(self, chunk, start, request, point, now);
  record_new_copy(chunk, copied, now);
}

/* How a chunk without a profile begins: it is no sample, or has no record. */
typedef void *begin_plain(struct hp_thread *self,
                          const struct hp_request *request);

static void *move_plain(struct hp_thread *self, void *p,
                        const struct hp_request *request, uint64_t copied,
                        begin_plain *begin) {
  void *start = begin(self, request);
  if (start) {
    hp_real_memcpy(start, p, copied);
    hp_plain_give(self, p);
  }
  return start;
}

/* N bytes from P to START, where the chunk NEW is to begin. */
static void copy(const struct hp_chunk *new, void *start, const void *p,
                 size_t n, const struct hp_request *request,
                 const struct hp_alloc_point *point) {
  if (HP_UNLIKELY(hp_chunk_is_large(new)))
    hp_prepare_large(new, start, request, point);
  hp_real_memcpy(start, p, n);
}

/* The chunk at P ends, which is no sample; the new one is.  NULL: there is no
   memory for it, which is not counted. */
static void *move_to_sample(struct hp_thread *self, void *p,
                            const struct hp_request *request, uint64_t copied) {
  uint64_t outer = hp_gate_enter(self);
  void *start;
  struct hp_chunk *new =
      hp_take_slot(self, request->size, request->alignment, outer != 0, &start);
  if (HP_LIKELY(new != NULL)) {
    struct hp_alloc_point *point = hp_find_point(self, request, 0);
    copy(new, start, p, copied, request, point);
    uint64_t now = hp_event_time(self, hp_clock_now());
    hp_begin_copied(self, new, start, request, point, now, copied);
    hp_plain_give(self, p);
  } else {
    start = NULL;
  }
  hp_gate_leave(self, outer, HP_A_BEGIN);
  return start;
}

/* The chunk of COLD ends, which STAYS where it is, or is to be copied, which would
   touch all of it. */
static void note_pages(const struct hp_chunk *chunk, const struct hp_cold *cold,
                       bool stays) {
  if (HP_UNLIKELY(hp_chunk_is_large(chunk)) &&
      (!stays || hp_page_facts_want(cold->point)))
    hp_page_facts_end(chunk, cold);
}

/* Before the copy makes it an exact one. */
static void note_contents(const struct hp_chunk *chunk,
                          const struct hp_cold *cold) {
  if (HP_UNLIKELY(cold->word & hp_contents_of))
    hp_contents_end(chunk, cold);
  if (HP_UNLIKELY(cold->word & hp_members_of))
    hp_member_end(chunk, cold);
}

/* The sample OLD ends; the new chunk is none. */
static void *move_from_sample(struct hp_thread *self, struct hp_chunk *old,
                              void *p, const struct hp_request *request,
                              uint64_t copied, begin_plain *begin) {
  void *start = begin(self, request);
  if (!start)
    return NULL;
  struct hp_cold *cold = hp_cold_of(old);
  note_pages(old, cold, false);
  hp_real_memcpy(start, p, copied);
  uint64_t outer = hp_gate_enter(self);
  note_contents(old, cold);
  uint64_t now = hp_event_time(self, hp_clock_now());
  record_copy(old, copied, HP_ACCESS_READ, now);
  const uint32_t stack = hp_free_stack(self, old, cold, &request->caller, true);
  hp_end_chunk(self, p, old, cold, &request->caller, stack, HP_CHUNK_REALLOC,
               now);
  hp_give_slot(self, old, cold, outer != 0, true);
  hp_gate_leave(self, outer, HP_AN_END);
  return start;
}

/* Whether CHUNK may have SIZE bytes where it is. */
static bool fits_where_it_is(const struct hp_chunk *chunk, uint64_t size) {
  const uint64_t word = hp_cold_of(chunk)->word;
  const unsigned size_class = hp_slot_class(hp_slot_need(size, HP_FRONT));
  if (size > hp_allocator_max_size())
    return false;
  if (!hp_chunk_is_large(chunk))
    return size <= ((size_t)1 << hp_chunk_shift(chunk)) - hp_front_of(word) &&
           hp_chunk_class(chunk) == size_class;
  if (!hp_is_apart(word))
    return hp_secondary_fits(chunk, word, size);
  /* as if it had no pages of its own */
  return size_class < HP_CLASS_COUNT &&
         size_class ==
             hp_slot_class(hp_slot_need(hp_chunk_size(chunk), HP_FRONT));
}

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* The old chunk or the new one is no sample, or has no record. */
static void *reallocate_between(struct hp_thread *self, void *p,
                                struct hp_chunk *old, bool sampled,
                                const struct hp_request *request) {
  void *start = NULL;
  const uint64_t size = old ? hp_chunk_size(old) : hp_plain_size(p);
  const uint64_t copied = least(size, request->size);
  hp_live_take(self, size); /* it ends before the new one begins */
  if (old)
    start = move_from_sample(self, old, p, request, copied, hp_plain_allocate);
  else if (sampled)
    start = move_to_sample(self, p, request, copied);
  if (!old && !start) {
    if (hp_plain_resize(p, request->size)) {
      hp_live_add(self, request->size);
      if (sampled)
        hp_unprofiled_count(self, request->size);
      start = p;
    } else {
      start = move_plain(self, p, request, copied,
                         sampled ? hp_unprofiled_allocate : hp_plain_allocate);
    }
  }
  if (HP_UNLIKELY(!start)) {
    hp_live_add(self, size);
    hp_sample_undo(self, request->size);
  }
  return start;
}

/* There is no memory for the profile of what comes after OLD. */
static HP_COLD void *move_to_unprofiled(struct hp_thread *self,
                                        struct hp_chunk *old, void *p,
                                        const struct hp_request *request,
                                        uint64_t copied) {
  const uint64_t size = hp_chunk_size(old);
  void *start =
      move_from_sample(self, old, p, request, copied, hp_unprofiled_allocate);
  if (!start)
    hp_sample_undo(self, request->size);
  else if (hp_sampling)
    hp_live_take(self, size);
  return start;
}

/* OLD is profiled, and what comes after it is to be. */
static void *reallocate_profiled(struct hp_thread *self, struct hp_chunk *old,
                                 void *p, const struct hp_request *request) {
  uint64_t outer = hp_gate_enter(self);
  if (hp_cut_is(old, hp_cold_of(old)->word))
    hp_cut_end(self, old, &request->caller);
  hp_start_timing(self);
  uint64_t old_size = hp_chunk_size(old);
  uint64_t copied = least(old_size, request->size);
  const bool grows = request->size > old_size && old_size &&
                     hp_cold_of(old)->t0 >= hp_clock_window_start;
  const struct hp_chain_state before = hp_growth_state(old);
  const bool fits = fits_where_it_is(old, request->size);
  struct hp_chunk *new = old;
  void *start = p;
  if (!fits) {
    new = hp_take_slot(self, request->size, request->alignment, outer != 0,
                       &start);
    if (!new) {
      hp_gate_leave(self, outer, HP_ANY_EVENT);
      start = move_to_unprofiled(self, old, p, request, copied);
      hp_end_timing(self, HP_ENTRY_REALLOC);
      return start;
    }
  }
  struct hp_cold *cold = hp_cold_of(old);
  note_pages(old, cold, fits);
  note_contents(old, cold);
  struct hp_alloc_point *point = hp_find_point(self, request, cold->point);
  if (!fits)
    copy(new, start, p, copied, request, point);
  uint64_t now = hp_event_time(self, hp_clock_now());
  record_copy(old, copied, HP_ACCESS_READ, now);
  if (HP_UNLIKELY(hp_sampling))
    hp_live_take(self, old_size);
  hp_end_chunk(self, p, old, cold, &request->caller, point ? point->stack : 0,
               HP_CHUNK_REALLOC, now);
  if (!fits) {
    hp_give_slot(self, old, cold, outer != 0, true);
  } else {
    /* hp_allocator_each_live() shall not see parts of two as one */
    const uint64_t word = cold->word;
    hp_retire(old, cold);
    if (hp_chunk_is_large(old))
      hp_secondary_resized(old, HP_PROFILED, word, request->size);
  }
  hp_begin_copied(self, new, start, request, point, now, copied);
  if (HP_LIKELY(point != NULL) && !hp_sampling)
    hp_resize_note(hp_point_id(point), old_size, request->size,
                   fits ? NULL : &copied);
  if (grows && HP_LIKELY(hp_recording))
    hp_growth_link(new, &before, old_size, copied, HP_CHAIN_SEEN);
  hp_end_timing(self, HP_ENTRY_REALLOC);
  hp_gate_leave(self, outer, HP_ANY_EVENT);
  return start;
}

void *hp_reallocate(void *p, const struct hp_request *request) {
  struct hp_chunk *old = hp_live_chunk_at(p);
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
  if (HP_UNLIKELY(hp_sampling || plain)) {
    bool sampled = !hp_sampling || hp_sample_hit(self, request->size);
    if (plain || !sampled)
      return reallocate_between(self, p, old, sampled, request);
  }
  return reallocate_profiled(self, old, p, request);
}
