/* access.c - see access.h: the first accesses of a chunk, exact ones, those of
   other threads, those beyond its size, and whole ranges.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/access.h"
#include "chunk/bound.h"
#include "chunk/overrun.h"
#include "chunk/pooled.h"
#include "chunk/watch.h"
#include "heap/owner.h"
#include "heapprof_format.h"
#include "options/options.h"

HP_THREAD_LOCAL uintptr_t hp_access_not_last_byte;

static void raise32(uint32_t *word, uint32_t value) {
  uint32_t seen = __atomic_load_n(word, __ATOMIC_RELAXED);
  while (value > seen &&
         !__atomic_compare_exchange_n(word, &seen, value, true,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

static void raise_own(uint32_t *word, uint32_t value) {
  uint32_t seen = *word;
  while (value > seen && !hp_access_replace(word, &seen, value))
    ;
}

static void lower_own(uint32_t *word, uint32_t value) {
  uint32_t seen = *word;
  while (value < seen && !hp_access_replace(word, &seen, value))
    ;
}

/* How many of N a counter has room for that says COUNT. */
static uint64_t room_for(uint64_t n, uint64_t count) {
  uint64_t room = count < HP_COUNT_FULL ? HP_COUNT_FULL - count : 0;
  return n < room ? n : room;
}

/* Sets flags of the record; they share a word with the size. */
static void set_flags(struct hp_chunk *chunk, uint64_t flags) {
  uint64_t *word = &hp_cold_of(chunk)->word;
  if ((*word & flags) != flags)
    __atomic_fetch_or(word, flags, __ATOMIC_RELAXED);
}

/* At no time the chunk looks as if never chosen.  Where another thread is
   counting writes it may stay exact: until the next access then.  With
   exact_time=1 all are for ever. */
static void age(struct hp_chunk *chunk) {
  hp_watch_leave(chunk);
  if (hp_options.exact_time)
    return;
  uint64_t *word = &hp_cold_of(chunk)->word;
  uint64_t seen = __atomic_load_n(word, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(
      word, &seen, (seen & ~HP_RECORD_EXACT) | HP_RECORD_AGED, true,
      __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
  const uint16_t others = (uint16_t)~HP_THREAD_EXACT;
  __atomic_fetch_and(&chunk->thread, others, __ATOMIC_RELAXED);
  if (!(seen & HP_RECORD_MULTITHREAD))
    return;
  uint64_t areas = hp_others_of(chunk)->areas;
  for (struct hp_chunk *share; (share = hp_share_next(chunk, &areas));)
    __atomic_fetch_and(&share->thread, others, __ATOMIC_RELAXED);
}

/* Whether CHUNK goes on being exact since it is watched; one that is not OLD may be
   so from its FIRST access on. */
static bool is_watched(struct hp_chunk *chunk, struct hp_touch *touch, bool old,
                       bool first, uint64_t now) {
  const uint64_t t0 = hp_cold_of(chunk)->t0;
  if (!old && !first && hp_chunk_tag(chunk) != HP_THREAD_LATE)
    return false;
  touch->is_old = old && now - t0 > HP_EXACT_STEPS * hp_clock_period;
  touch->is_first = first;
  touch->is_chosen = hp_access_is_chosen(t0);
  return (!old || touch->is_old || hp_chunk_tag(chunk) == HP_THREAD_LATE) &&
         hp_watch_touch(chunk, touch, now);
}

/* A loop that one hook counts takes its members no time: its chunk is not let go. */
static bool is_walk(const struct hp_touch *touch) {
  return hp_members_of && touch &&
         touch->reads + touch->writes >= HP_MEMBERS_WALK;
}

/* When an access is: exactly if it is the FIRST one or BY, where its thread
   counts, is exact, which it stays until the chunk is old, or is let go if it is
   watched (TOUCH; NULL: it cannot be); else by the coarse clock. */
static uint64_t access_time(struct hp_chunk *chunk, const struct hp_chunk *by,
                            bool first, struct hp_touch *touch) {
  bool exact = __atomic_load_n(&by->thread, __ATOMIC_RELAXED) & HP_THREAD_EXACT;
  if (!first && !exact)
    return __atomic_load_n(&hp_clock_coarse, __ATOMIC_RELAXED);
  uint64_t now = hp_clock_now();
  hp_clock_noted(now);
  if (!exact)
    return now;
  const bool old = !is_walk(touch) && hp_access_is_old(chunk, by, now);
  const bool watched =
      by == chunk && touch && is_watched(chunk, touch, old, first, now);
  if (old && !watched)
    age(chunk);
  return now;
}

/* The record in which this thread counts what it does to CHUNK: the chunk's own
   or its share; NULL: it has none, and is one of the crowd. */
static struct hp_chunk *own_record(struct hp_chunk *chunk) {
  if (HP_LIKELY(hp_cold_of(chunk)->thread == hp_thread_number()))
    return chunk;
  const uintptr_t area = hp_thread_area();
  struct hp_chunk *share = area ? hp_share_in(area, (uintptr_t)chunk) : NULL;
  if (HP_LIKELY(share && share->thread))
    return share;
  set_flags(chunk, HP_RECORD_MULTITHREAD);
  share = HP_LIKELY(area) ? hp_share_claim(area, chunk) : NULL;
  if (HP_UNLIKELY(!share))
    set_flags(chunk, HP_RECORD_CROWD);
  return share;
}

static void count(struct hp_chunk *chunk, struct hp_chunk *by,
                  struct hp_touch *touch) {
  uint64_t *first = by == chunk ? &hp_cold_of(chunk)->first : NULL;
  uint64_t now = access_time(chunk, by, first && !*first, touch);
  hp_access_add(by, room_for(touch->reads, hp_chunk_reads(by)),
                room_for(touch->writes, hp_chunk_writes(by)));
  if (first && !*first)
    *first = now;
  by->last = now;
}

static void count_in_crowd(struct hp_chunk *chunk, uint64_t reads,
                           uint64_t writes) {
  struct hp_crowd *crowd = hp_crowd_of(chunk);
  if (reads)
    __atomic_fetch_add(&crowd->reads, reads, __ATOMIC_RELAXED);
  if (writes)
    __atomic_fetch_add(&crowd->writes, writes, __ATOMIC_RELAXED);
  const uint64_t *first = &hp_others_of(chunk)->first;
  bool is_first = !__atomic_load_n(first, __ATOMIC_RELAXED);
  uint64_t now = access_time(chunk, chunk, is_first, NULL);
  if (is_first)
    hp_share_note_first(chunk, now);
  hp_bound_raise(&crowd->last, now);
}

/* The bytes of SIZE at P lie within the chunk; OFFSET is P's. */
static void widen(struct hp_chunk *chunk, struct hp_chunk *by, uintptr_t p,
                  uint64_t offset, uint64_t size) {
  uint32_t lo = (uint32_t)p, hi = (uint32_t)(p + size - 1);
  if (HP_UNLIKELY(hp_cold_of(chunk)->word & HP_RECORD_HUGE)) {
    struct hp_others *huge = hp_others_of(chunk);
    hp_bound_lower(&huge->huge_lo, offset);
    hp_bound_raise(&huge->huge_hi, offset + size);
  } else if (by) {
    lower_own(&by->lo, lo);
    raise_own(&by->hi, hi);
  } else {
    raise32(&hp_crowd_of(chunk)->not_lo, ~lo);
    raise32(&hp_crowd_of(chunk)->hi, hi);
  }
}

/* Ends beyond the size, or begins ahead of the chunk. */
static HP_COLD void note_overrun(struct hp_chunk *chunk, uint64_t beyond,
                                 bool ahead, bool reads, bool writes,
                                 uintptr_t pc) {
  const uint32_t flags = (reads ? HP_OVERRUN_READ : 0) |
                         (writes ? HP_OVERRUN_WRITTEN : 0) |
                         (ahead ? HP_OVERRUN_AHEAD : 0);
  set_flags(chunk, HP_RECORD_OVERRUN);
  hp_overrun_note(&(struct hp_overrun_entry){.beyond = beyond,
                                             .read_pc = reads ? pc : 0,
                                             .write_pc = writes ? pc : 0,
                                             .point = hp_cold_of(chunk)->point,
                                             .flags = flags});
}

void hp_access_seldom(struct hp_chunk *chunk, uintptr_t p, uint64_t size,
                      uint64_t reads, uint64_t writes, uintptr_t pc) {
  uint64_t word = __atomic_load_n(&hp_cold_of(chunk)->word, __ATOMIC_RELAXED);
  if (HP_UNLIKELY(!(word & HP_RECORD_LIVE)))
    return;
  if (HP_UNLIKELY(word & HP_RECORD_HUGE) &&
      hp_pooled_access(chunk, p, size, reads, writes))
    return;
  uint64_t limit = word & HP_SIZE_MAX;
  uint64_t start = hp_chunk_start(chunk);
  uint64_t ahead = p < start ? start - p : 0;
  if (HP_UNLIKELY(ahead)) {
    size = size > ahead ? size - ahead : 0;
    p = start;
  }
  uint64_t offset = p - start, end = offset + size;
  if (HP_UNLIKELY(ahead || end > limit)) {
    note_overrun(chunk, end > limit ? end - limit : 0, ahead, reads, writes,
                 pc);
    end = end < limit ? end : limit;
  }
  struct hp_chunk *by = own_record(chunk);
  if (HP_LIKELY(offset < end))
    widen(chunk, by, p, offset, end - offset);
  struct hp_touch touch = {.size = size,
                           .from = offset,
                           .to = end,
                           .reads = reads,
                           .writes = writes,
                           .pc = pc};
  if (HP_LIKELY(by != NULL))
    count(chunk, by, &touch);
  else
    count_in_crowd(chunk, reads, writes);
}

static HP_NOINLINE void many_otherwise(struct hp_chunk *chunk, uintptr_t p,
                                       uint64_t size, uint64_t reads,
                                       uint64_t writes, uintptr_t pc) {
  if (!hp_access_frequent(chunk, p, size, reads, writes))
    hp_access_seldom(chunk, p, size, reads, writes, pc);
}

/* Text that is appended saves no register. */
void hp_access_many(struct hp_chunk *chunk, uintptr_t p, uint64_t size,
                    uint64_t reads, uint64_t writes, uintptr_t pc) {
  if (!hp_access_appends(chunk, p, size, reads, writes))
    many_otherwise(chunk, p, size, reads, writes, pc);
}

/* A range of any length anywhere. */
static HP_NOINLINE HP_PRESERVE_MOST void access_parts(const void *p, size_t n,
                                                      int kind, uintptr_t pc) {
  while (n && hp_heap_holds(p)) {
    struct hp_owner owner = hp_owner_checked(p);
    if (!owner.chunk)
      return;
    size_t part = n < owner.slot_rest ? n : owner.slot_rest;
    hp_access(owner.chunk, (uintptr_t)p, part, kind, pc);
    p = (const char *)p + part;
    n -= part;
  }
}

static bool is_within(const struct hp_chunk *chunk, const void *p, size_t n) {
  const uint64_t size = hp_chunk_size(chunk);
  const uint64_t offset = (uintptr_t)p - hp_chunk_start(chunk);
  return offset <= size && n <= size - offset;
}

static HP_NOINLINE HP_PRESERVE_MOST void range_otherwise(const void *p,
                                                         size_t n, int kind,
                                                         struct hp_chunk *chunk,
                                                         uintptr_t pc) {
  if (HP_UNLIKELY(!hp_access_hooked) && HP_LIKELY(is_within(chunk, p, n)))
    return;
  if (HP_UNLIKELY(hp_members_of))
    hp_members_range(p, n, kind, pc);
  if (HP_UNLIKELY(!hp_access_frequent(chunk, (uintptr_t)p, n,
                                      (kind & HP_ACCESS_READ) != 0,
                                      (kind & HP_ACCESS_WRITE) != 0)))
    access_parts(p, n, kind, pc);
}

static HP_NOINLINE HP_PRESERVE_MOST void range_appended(const void *p, size_t n,
                                                        int kind,
                                                        struct hp_chunk *chunk,
                                                        uintptr_t pc) {
  if (!hp_access_appends(chunk, (uintptr_t)p, n, (kind & HP_ACCESS_READ) != 0,
                         (kind & HP_ACCESS_WRITE) != 0))
    range_otherwise(p, n, kind, chunk, pc);
}

/* To what another thread allocated, within what this one has accessed before, or to
   an exact chunk. */
static HP_NOINLINE HP_PRESERVE_MOST void range_not_plain(const void *p,
                                                         size_t n, int kind,
                                                         struct hp_chunk *chunk,
                                                         uintptr_t pc) {
  const uintptr_t area = hp_share_own_area;
  struct hp_chunk *share = area ? hp_share_in(area, (uintptr_t)p) : NULL;
  if (share && share->thread == HP_SHARE_CLAIMED &&
      hp_access_is_covered(share, (uintptr_t)p, n) &&
      HP_LIKELY(hp_access_hooked) && HP_LIKELY(!hp_members_of))
    hp_access_count(share, kind);
  else
    range_otherwise(p, n, kind, chunk, pc);
}

/* Each of the three saves its own registers, so that this one saves none. */
HP_PRESERVE_MOST void hp_access_unusual_range(const void *p, size_t n, int kind,
                                              struct hp_chunk *chunk,
                                              uintptr_t pc) {
  if (chunk->thread != hp_thread_self_tag)
    range_not_plain(p, n, kind, chunk, pc);
  else if (chunk->lo <= (uint32_t)(uintptr_t)p)
    range_appended(p, n, kind, chunk, pc);
  else
    range_otherwise(p, n, kind, chunk, pc);
}
