/* access.c - see access.h: the first accesses of a chunk, exact ones, those of
   other threads, those beyond its size, and whole ranges.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "access.h"
#include "allocator.h"
#include "options.h"
#include "owner.h"

/* After so many periods of the coarse clock a chunk's last access is known well
   enough without reading the counter: to 1/32 of its lifetime.  Where the clock
   is late the reader knows by how much; waiting for it here would make busy
   machines busier. */
#define HP_EXACT_STEPS 32u

static void raise32(uint32_t *word, uint32_t value) {
  uint32_t seen = __atomic_load_n(word, __ATOMIC_RELAXED);
  while (value > seen &&
         !__atomic_compare_exchange_n(word, &seen, value, true,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

static void lower32(uint32_t *word, uint32_t value) {
  uint32_t seen = __atomic_load_n(word, __ATOMIC_RELAXED);
  while (value < seen &&
         !__atomic_compare_exchange_n(word, &seen, value, true,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

static void raise64(uint64_t *word, uint64_t value) {
  uint64_t seen = __atomic_load_n(word, __ATOMIC_RELAXED);
  while (value > seen &&
         !__atomic_compare_exchange_n(word, &seen, value, true,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

static void lower64(uint64_t *word, uint64_t value) {
  uint64_t seen = __atomic_load_n(word, __ATOMIC_RELAXED);
  while (value < seen &&
         !__atomic_compare_exchange_n(word, &seen, value, true,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

/* Sets flags of the record; they share a word with the size. */
static void set_flags(struct hp_chunk *chunk, uint64_t flags) {
  if ((chunk->word & flags) != flags)
    __atomic_fetch_or(&chunk->word, flags, __ATOMIC_RELAXED);
}

/* AGED first, so that at no time the chunk looks as if never chosen. */
static void become_aged(struct hp_chunk *chunk) {
  set_flags(chunk, HP_RECORD_AGED);
  __atomic_fetch_and(&chunk->word, ~HP_RECORD_EXACT, __ATOMIC_RELAXED);
  __atomic_fetch_and(&chunk->thread, ~HP_THREAD_EXACT, __ATOMIC_RELAXED);
}

/* When an access is: exactly if it is the FIRST one or the chunk is exact,
   which it stays until it is old; else by the coarse clock. */
static uint64_t access_time(struct hp_chunk *chunk, bool first) {
  bool exact =
      __atomic_load_n(&chunk->thread, __ATOMIC_RELAXED) & HP_THREAD_EXACT;
  if (!first && !exact)
    return __atomic_load_n(&hp_clock_coarse, __ATOMIC_RELAXED);
  uint64_t now = hp_clock_now();
  hp_clock_noted(now);
  if (exact && !hp_options.exact_time &&
      now - chunk->t0 > HP_EXACT_STEPS * hp_clock_period)
    become_aged(chunk);
  return now;
}

/* One instruction: a signal's handler that accesses the same chunk comes before
   or after it, and its own count is not lost. */
static void add_own(uint64_t *counter, uint64_t n) {
  bool wrapped;
  __asm__("addq %2, %1" : "=@ccc"(wrapped), "+m"(*counter) : "re"(n));
  if (HP_UNLIKELY(wrapped))
    *counter = UINT64_MAX;
}

static void access_own(struct hp_chunk *chunk, uint64_t reads,
                       uint64_t writes) {
  add_own(&chunk->reads, reads);
  add_own(&chunk->writes, writes);
  uint64_t now = access_time(chunk, !chunk->first);
  if (!chunk->first)
    chunk->first = now;
  chunk->last = now;
}

static void access_foreign(struct hp_chunk *chunk, uint64_t reads,
                           uint64_t writes) {
  struct hp_foreign *foreign = hp_foreign_of(chunk);
  if (reads)
    __atomic_fetch_add(&foreign->reads, reads, __ATOMIC_RELAXED);
  if (writes)
    __atomic_fetch_add(&foreign->writes, writes, __ATOMIC_RELAXED);
  uint64_t first = __atomic_load_n(&foreign->first, __ATOMIC_RELAXED);
  uint64_t now = access_time(chunk, !first);
  if (!first)
    __atomic_compare_exchange_n(&foreign->first, &first, now, false,
                                __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  raise64(&foreign->last, now);
}

void hp_access_many(struct hp_chunk *chunk, uintptr_t p, uint64_t size,
                    uint64_t reads, uint64_t writes) {
  uint64_t word = __atomic_load_n(&chunk->word, __ATOMIC_RELAXED);
  if (HP_UNLIKELY(!(word & HP_RECORD_LIVE)))
    return;
  bool own = hp_chunk_thread(chunk) == hp_thread_number();
  uint64_t limit = word & HP_SIZE_MAX;
  uint64_t offset = hp_owner_of(p - HP_HEAP_BASE).offset, end = offset + size;
  if (HP_UNLIKELY(end > limit)) {
    set_flags(chunk, HP_RECORD_OVERRUN);
    end = limit;
  }
  if (!own)
    set_flags(chunk, HP_RECORD_MULTITHREAD);
  if (HP_LIKELY(offset < end)) {
    struct hp_foreign *foreign = hp_foreign_of(chunk);
    uint32_t lo = (uint32_t)p, hi = (uint32_t)(p + (end - offset) - 1);
    if (HP_UNLIKELY(word & HP_RECORD_HUGE)) {
      lower64(&foreign->huge_lo, offset);
      raise64(&foreign->huge_hi, end);
    } else if (own) {
      lower32(&chunk->lo, lo);
      raise32(&chunk->hi, hi);
    } else {
      raise32(&foreign->not_lo, ~lo);
      raise32(&foreign->hi, hi);
    }
  }
  if (own)
    access_own(chunk, reads, writes);
  else
    access_foreign(chunk, reads, writes);
}

void hp_accessed_bytes(const struct hp_chunk *chunk, uint64_t *lo,
                       uint64_t *hi) {
  const struct hp_foreign *foreign = hp_foreign_of(chunk);
  *lo = *hi = 0;
  if (HP_UNLIKELY(chunk->word & HP_RECORD_HUGE)) {
    if (foreign->huge_lo < foreign->huge_hi) {
      *lo = foreign->huge_lo;
      *hi = foreign->huge_hi;
    }
    return;
  }
  uint32_t from = chunk->lo, to = chunk->hi;
  if (HP_UNLIKELY(chunk->word & HP_RECORD_MULTITHREAD) &&
      (foreign->not_lo || foreign->hi)) {
    from = ~foreign->not_lo < from ? ~foreign->not_lo : from;
    to = foreign->hi > to ? foreign->hi : to;
  }
  if (from > to)
    return;
  uint32_t start = (uint32_t)hp_chunk_start(chunk);
  *lo = from - start;
  *hi = (uint64_t)(to - start) + 1;
}

void hp_access_range(const void *p, size_t n, int kind) {
  uintptr_t offset;
  while (n && hp_heap_offset(p, &offset)) {
    struct hp_owner owner = hp_owner_checked(offset);
    if (!owner.chunk)
      return;
    size_t part = n < owner.slot_rest ? n : owner.slot_rest;
    hp_access(owner.chunk, (uintptr_t)p, part, kind);
    p = (const char *)p + part;
    n -= part;
  }
}
