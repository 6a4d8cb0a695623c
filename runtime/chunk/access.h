/* access.h - what an access does to a chunk record: counts, interval, times,
   threads.  The usual case is here, in sight; the rest is in access.c.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_ACCESS_H
#define HP_ACCESS_H

#include "chunk/filling.h"
#include "chunk/members.h"
#include "chunk/request.h"
#include "heap/chunk.h"
#include "heap/heap.h"
#include "heap/owner.h"
#include "heap/share.h"
#include "hook_abi.h"
#include "options/options.h"
#include "system/clock.h"
#include "thread/thread_state.h"

/* READS and WRITES accesses at once, whose hull is SIZE bytes at P, which is in
   the slot of CHUNK: any accesses whatever, also the usual one.  PC is where
   the program goes on behind them, for what lies beyond the size; 0: unknown.
 */
void hp_access_many(struct hp_chunk *chunk, uintptr_t p, uint64_t size,
                    uint64_t reads, uint64_t writes, uintptr_t pc);
/* hp_access_many() for accesses that hp_access_frequent(), or a part of it, did
   not count. */
void hp_access_seldom(struct hp_chunk *chunk, uintptr_t p, uint64_t size,
                      uint64_t reads, uint64_t writes, uintptr_t pc);
/* Of the function that this stands in, which the program calls. */
#define HP_ACCESS_PC ((uintptr_t)__builtin_return_address(0))

/* Adds N to the two halves of COUNTER, a record's.  One instruction: a signal's
   handler that accesses the same chunk comes before or after it, and its own
   count is not lost. */
HP_INLINE void hp_access_step(uint64_t *counter, uint64_t n) {
  __asm__("addq %1, %0" : "+m"(*counter) : "er"(n) : "cc");
}
HP_INLINE void hp_access_add(struct hp_chunk *record, uint64_t reads,
                             uint64_t writes) {
  if (reads)
    hp_access_step(&record->reads_guard, reads * HP_ONE_READ);
  if (writes)
    hp_access_step(&record->thread_writes, writes * HP_ONE_WRITE);
}

/* Of each point so many chunks, the first ones, are exact: they read the counter
   at every access while they are young.  So are those of the later ones that are
   chosen. */
#define HP_EXACT_FIRST 64u
/* Without hooks they are only for the stack of their free, and fewer of these
   are taken, since nothing else of them costs time. */
#define HP_UNHOOKED_FIRST 16u
/* After so many periods of the coarse clock a chunk's last access is known well
   enough without reading the counter: to 1/32 of its lifetime.  Where the clock
   is late the reader knows by how much; waiting for it here would make busy
   machines busier. */
#define HP_EXACT_STEPS 32u
/* A chunk that its thread accesses very often is read for fewer periods: after
   so many, if BY counts so many accesses.  Such chunks are few, but would cost
   most of the readings. */
#define HP_BUSY_STEPS 8u
#define HP_BUSY_ACCESSES 16384u
/* One of the first chunks of its point speaks for no others.  So it is read for
   fewer periods still: after so many, if accesses times periods are as many. */
#define HP_BUSY_STEPS_FIRST 2u

/* Whether a chunk that began at T0 is one of those that are chosen to speak for
   the others, one in 32: as good as at random. */
#define HP_EXACT_BITS 5u
HP_INLINE bool hp_access_is_chosen(uint64_t t0) {
  const uint64_t factor = 0x9e3779b97f4a7c15u;
  const uint64_t mixed = t0 * factor;
  return (mixed ^ mixed >> 32) * factor >> (64 - HP_EXACT_BITS) == 0;
}

/* The accesses that BY counts, if they are fewer than HP_COUNT_FULL. */
HP_INLINE uint64_t hp_access_number(const struct hp_chunk *by) {
  return (by->reads_guard & HP_COUNT_MASK) + by->thread_writes / HP_ONE_WRITE;
}

HP_INLINE bool hp_access_is_old(const struct hp_chunk *chunk,
                                const struct hp_chunk *by, uint64_t now) {
  if (HP_UNLIKELY(hp_members_of))
    return hp_members_are_enough(chunk, by);
  const uint64_t t0 = hp_cold_of(chunk)->t0, period = hp_clock_period;
  const uint64_t age = now - t0, number = hp_access_number(by);
  if (age > HP_EXACT_STEPS * period)
    return true;
  if (hp_access_is_chosen(t0))
    return age > HP_BUSY_STEPS * period && number >= HP_BUSY_ACCESSES;
  return age > HP_BUSY_STEPS_FIRST * period &&
         number >= HP_BUSY_ACCESSES * period / age;
}

/* Whether N > 0 further accesses of an exact chunk, which BY counts, need not
   read the clock: they are less than 1/2^HP_SKIPPED_BITS of those before, and
   since the last reading neither has the coarse clock gone on nor this thread
   allocated or freed.  So a last access is noted too early by less than a step,
   and by as few accesses as that. */
#define HP_SKIPPED_BITS 7u
HP_INLINE bool hp_access_is_skipped(const struct hp_chunk *by, uint64_t n) {
  const uint64_t before = hp_access_number(by);
  if (before >> (HP_SKIPPED_BITS + 1) == 0 || !n || hp_options.exact_time ||
      by->last < __atomic_load_n(&hp_clock_coarse, __ATOMIC_RELAXED) ||
      !hp_thread_self || by->last < hp_thread_self->last_event)
    return false;
  const unsigned bits =
      63u - (unsigned)__builtin_clzll(before) - HP_SKIPPED_BITS;
  return before >> bits == (before + n) >> bits;
}

/* Whether an access of SIZE > 0 bytes at P, however many, lies within the bytes
   that the thread of record BY has accessed before. */
HP_INLINE bool hp_access_is_covered(const struct hp_chunk *by, uintptr_t p,
                                    uint64_t size) {
  return HP_LIKELY(by->lo <= (uint32_t)p && (uint32_t)p + (size - 1) <= by->hi);
}

/* Puts VALUE at *WORD, if it is still *SEEN; else reads it anew.  Only handlers
   of signals of this very thread write there too, so that no lock is needed. */
HP_INLINE bool hp_access_replace(uint32_t *word, uint32_t *seen,
                                 uint32_t value) {
  bool replaced;
  __asm__("cmpxchgl %3, %2"
          : "=@ccz"(replaced), "+a"(*seen), "+m"(*word)
          : "r"(value));
  return replaced;
}

/* Where this thread counts what it does to CHUNK, in whose slot P is, if it
   allocated it or has a share in it; else NULL. */
HP_INLINE struct hp_chunk *hp_access_own(struct hp_chunk *chunk, uintptr_t p) {
  const uint16_t self = hp_thread_self_tag;
  if (self && hp_chunk_tag(chunk) == self)
    return chunk;
  const uintptr_t area = hp_share_own_area;
  struct hp_chunk *share = area ? hp_share_in(area, p) : NULL;
  return share && share->thread ? share : NULL;
}

/* The functions from here on are hp_access_many() where it needs no call.  They
   count in BY, a record of this thread, which may be EXACT.  They return false
   if they counted nothing.

   When N accesses are: the FIRST ones and those of an EXACT chunk exactly.  That
   one is asked for its age once in a step of the coarse clock: if it is old, it
   goes the long way, on which it is exact no longer, or watched (watch.h). */
HP_INLINE bool hp_access_time(struct hp_chunk *chunk, const struct hp_chunk *by,
                              bool first, bool exact, uint64_t n,
                              uint64_t *now) {
  uint64_t coarse = __atomic_load_n(&hp_clock_coarse, __ATOMIC_RELAXED);
  *now = coarse;
  if (!first && !exact)
    return true;
  if (!first && hp_access_is_skipped(by, n)) {
    *now = by->last;
    return true;
  }
  if (!hp_clock_is_tsc)
    return false;
  *now = hp_clock_tsc();
  return !hp_clock_is_late(coarse, *now) &&
         !(exact && by->last < coarse && hp_access_is_old(chunk, by, *now));
}

/* An access within the bytes accessed before. */
HP_INLINE bool hp_access_simple(struct hp_chunk *chunk, struct hp_chunk *by,
                                bool exact, uint64_t reads, uint64_t writes) {
  uint64_t now;
  if ((reads | writes) > HP_STEP_MAX ||
      !hp_access_time(chunk, by, false, exact, reads + writes, &now))
    return false;
  hp_access_add(by, reads, writes);
  by->last = now;
  return true;
}

/* An access of SIZE > 0 bytes that makes the interval of BY longer, or is its
   first, as those of a new object or of a text that is being written are. */
HP_INLINE bool hp_access_growing(struct hp_chunk *chunk, struct hp_chunk *by,
                                 bool exact, uintptr_t p, uint64_t size,
                                 uint64_t reads, uint64_t writes) {
  struct hp_cold *cold = hp_cold_at(p);
  uint64_t word = __atomic_load_n(&cold->word, __ATOMIC_RELAXED);
  uint64_t offset = p - (uintptr_t)chunk - hp_front_of(word);
  uint64_t limit = word & HP_SIZE_MAX;
  uint32_t lo = by->lo, hi = by->hi;
  uint32_t from = (uint32_t)p, to = (uint32_t)(p + size - 1);
  if (offset > limit || size - 1 >= limit - offset ||
      (reads | writes) > HP_STEP_MAX)
    return false; /* or not live */
  uint64_t now;
  const bool first = lo > hi;
  const bool is_own = by == chunk; /* of a share it is noted by who claims */
  if ((first && ((exact && limit >= HP_FILL_SIZE_MIN) || /* watch.h */
                 (is_own && cold->first) || (word & HP_RECORD_HUGE))) ||
      !hp_access_time(chunk, by, first, exact, reads + writes, &now))
    return false;
  /* Where a handler has come in between, hp_access_many() begins anew. */
  if ((from < lo && !hp_access_replace(&by->lo, &lo, from)) ||
      (to > hi && !hp_access_replace(&by->hi, &hi, to)))
    return false;
  if (first && is_own)
    cold->first = now;
  hp_access_add(by, reads, writes);
  by->last = now;
  return true;
}

/* What usual accesses do, at most HP_STEP_MAX of either kind. */
HP_INLINE void hp_access_count_many(struct hp_chunk *chunk, uint32_t reads,
                                    uint32_t writes) {
  hp_access_add(chunk, reads, writes);
  chunk->last = __atomic_load_n(&hp_clock_coarse, __ATOMIC_RELAXED);
}

/* The complement of the address of the last byte of a chunk, the one that this
   thread has allocated last or whose interval it has made longer at its end: so
   what is appended next need not look at what is kept apart from the chunk.  One
   word, so that a signal's handler never finds half of it; not the address, which
   would look like a pointer of the program to a chunk that is lost.  It may be of
   a chunk that has ended since: then the record says that no byte was accessed, or
   names another thread, or this thread allocated the one that came after it and
   has noted that. */
extern HP_THREAD_LOCAL uintptr_t hp_access_not_last_byte;

/* An access of SIZE > 0 bytes at P, where MASK is hp_owner_mask(), which goes on
   behind the bytes that were accessed before, of the chunk of
   hp_access_not_last_byte, which this thread allocated and which is not exact.
   It counts nothing, and is false if the access is any other.  Few registers are
   in use at a time, since the hooks save them all. */
HP_INLINE bool hp_access_extends(struct hp_chunk *chunk, uintptr_t mask,
                                 uintptr_t p, uint32_t size) {
  uintptr_t last = ~hp_access_not_last_byte;
  if (HP_UNLIKELY((last & mask) != (uintptr_t)chunk))
    return false;
  const uintptr_t to = p + size - 1;
  __asm__("" : "+r"(last));
  if (HP_UNLIKELY(to > last))
    return false;
  uint16_t self = hp_thread_self_tag;
  __asm__("" : "+r"(self));
  if (HP_UNLIKELY(chunk->thread != self) ||
      HP_UNLIKELY(chunk->lo > (uint32_t)p))
    return false;
  __asm__("" : "+m"(chunk->lo));
  uint32_t hi = chunk->hi;
  if (HP_UNLIKELY(hi >= (uint32_t)to))
    return false;
  /* No byte was accessed: the last one before a multiple of 4 GiB is now. */
  if (HP_UNLIKELY(hi < chunk->lo))
    return false;
  return hp_access_replace(&chunk->hi, &hi, (uint32_t)to);
}

/* An access of SIZE > 0 bytes at P, by the thread that allocated CHUNK, which is
   not exact, and not ahead of the interval, which so has a beginning, and the
   chunk a first access: mostly it goes on where the interval ended.  What is in
   the interval begins within the chunk; so all does that ends there, and the
   difference is below the size, ahead of the chunk it is not.  SIZE, READS and
   WRITES are at most HP_STEP_MAX each, or fit an i32 of hook_abi.h.  False: it
   goes on otherwise, and nothing is counted. */
HP_INLINE bool hp_access_goes_on(struct hp_chunk *chunk, uintptr_t p,
                                 uint32_t size, uint32_t reads,
                                 uint32_t writes) {
  const uint32_t to = (uint32_t)p + size - 1;
  uint32_t hi = chunk->hi;
  if (HP_UNLIKELY(hi >= to) || HP_UNLIKELY(chunk->lo > hi))
    return false;
  const uint64_t word = __atomic_load_n(&hp_cold_at(p)->word, __ATOMIC_RELAXED);
  const uint64_t end =
      p - (uintptr_t)chunk - hp_front_of(word) + (uint64_t)(size - 1);
  if (HP_UNLIKELY(end >= (word & HP_SIZE_MAX)) ||
      HP_UNLIKELY(!hp_access_replace(&chunk->hi, &hi, to)))
    return false;
  hp_access_not_last_byte =
      ~(p + (size - 1) + ((word & HP_SIZE_MAX) - 1 - end));
  hp_access_add(chunk, reads, writes);
  chunk->last = __atomic_load_n(&hp_clock_coarse, __ATOMIC_RELAXED);
  return true;
}

/* The same, of any access of any SIZE. */
HP_INLINE bool hp_access_appends(struct hp_chunk *chunk, uintptr_t p,
                                 uint64_t size, uint64_t reads,
                                 uint64_t writes) {
  if (size - 1 >= HP_STEP_MAX || (reads | writes) > HP_STEP_MAX)
    return false;
  if (HP_LIKELY(hp_access_extends(chunk, hp_owner_mask((const void *)p), p,
                                  (uint32_t)size))) {
    hp_access_count_many(chunk, (uint32_t)reads, (uint32_t)writes);
    return true;
  }
  return chunk->lo <= (uint32_t)p && chunk->thread == hp_thread_self_tag &&
         hp_access_goes_on(chunk, p, (uint32_t)size, (uint32_t)reads,
                           (uint32_t)writes);
}

/* An access of any of the kinds that are frequent: to text that is appended, to
   what another thread has made, to an exact chunk.  Returns the record that it
   is counted in; NULL: nothing is counted. */
HP_INLINE struct hp_chunk *hp_access_frequent(struct hp_chunk *chunk,
                                              uintptr_t p, uint64_t size,
                                              uint64_t reads, uint64_t writes) {
  struct hp_chunk *by = hp_access_own(chunk, p);
  if (!by)
    return NULL;
  bool exact = by->thread & HP_THREAD_EXACT;
  bool done = hp_access_is_covered(by, p, size)
                  ? hp_access_simple(chunk, by, exact, reads, writes)
                  : hp_access_growing(chunk, by, exact, p, size, reads, writes);
  return done ? by : NULL;
}

/* Whether an access of SIZE > 0 bytes at P is usual: by the allocating thread,
   within bytes accessed before (so there was a first access, within the size),
   of a chunk whose accesses do not read the clock. */
HP_INLINE bool hp_access_is_usual(const struct hp_chunk *chunk, uintptr_t p,
                                  uint64_t size) {
  return hp_access_is_covered(chunk, p, size) &&
         HP_LIKELY(chunk->thread == hp_thread_self_tag);
}

HP_INLINE void hp_access_count(struct hp_chunk *chunk, int kind) {
  hp_access_count_many(chunk, (kind & HP_ACCESS_READ) != 0,
                       (kind & HP_ACCESS_WRITE) != 0);
}

/* One access of SIZE > 0 bytes at P, which is in the slot of CHUNK.  KIND is
   HP_ACCESS_READ, _WRITE or _BOTH (hook_abi.h).  A part beyond the requested
   size is not in the interval but sets OVERRUN.

   Budget of a hook that reads or writes, from entry to return, no call and no
   lock among them: at most 30 instructions if usual; at most 8 instructions
   if the address is not in the heap.  test/performance/hot-path.test counts. */
HP_INLINE void hp_access(struct hp_chunk *chunk, uintptr_t p, uint64_t size,
                         int kind, uintptr_t pc) {
  if (hp_access_is_usual(chunk, p, size))
    hp_access_count(chunk, kind);
  else
    hp_access_many(chunk, p, size, (kind & HP_ACCESS_READ) != 0,
                   (kind & HP_ACCESS_WRITE) != 0, pc);
}

/* One access of each chunk that the N > 0 bytes at P lie in, the first of them
   in the slot of CHUNK.  What is not usual leaves the caller's registers as they
   are, so that the usual way need not save them. */
HP_PRESERVE_MOST void hp_access_unusual_range(const void *p, size_t n, int kind,
                                              struct hp_chunk *chunk,
                                              uintptr_t pc);
HP_INLINE void hp_access_bytes(struct hp_chunk *chunk, const void *p, size_t n,
                               int kind, uintptr_t pc) {
  if (HP_LIKELY(hp_access_is_usual(chunk, (uintptr_t)p, n)))
    hp_access_count(chunk, kind);
  else if (HP_LIKELY(hp_access_hooked) ||
           !hp_access_is_covered(chunk, (uintptr_t)p, n))
    hp_access_unusual_range(p, n, kind, chunk, pc);
}

#endif
