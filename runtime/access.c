/* access.c - see access.h.
   While the process has one thread the record is written plainly, afterwards by
   atomic operations. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "access.h"
#include "allocator.h"
#include "clock.h"
#include "hook_abi.h"
#include "options.h"
#include "owner.h"
#include "thread_state.h"

/* After so many steps of the coarse clock a chunk's last access is known well
   enough without reading the counter: to 1/32 of its lifetime. */
#define HP_EXACT_STEPS 32u

static void count(uint64_t *counter) {
  if (!hp_threads_many) {
    *counter = hp_add_saturated(*counter, 1);
    return;
  }
  /* At 2^64 events this wraps after centuries; saturation is for sums. */
  if (__atomic_load_n(counter, __ATOMIC_RELAXED) != UINT64_MAX)
    __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

static void lower32(uint32_t *word, uint32_t value) {
  uint32_t seen = __atomic_load_n(word, __ATOMIC_RELAXED);
  while (value < seen &&
         !__atomic_compare_exchange_n(word, &seen, value, true,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

static void raise32(uint32_t *word, uint32_t value) {
  uint32_t seen = __atomic_load_n(word, __ATOMIC_RELAXED);
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

static void raise64(uint64_t *word, uint64_t value) {
  uint64_t seen = __atomic_load_n(word, __ATOMIC_RELAXED);
  while (value > seen &&
         !__atomic_compare_exchange_n(word, &seen, value, true,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

/* Sets flags of the record; they share a word with the size. */
static void set_flags(struct hp_chunk *chunk, uint64_t flags) {
  if ((chunk->word & flags) != flags)
    __atomic_fetch_or(&chunk->word, flags, __ATOMIC_RELAXED);
}

/* The first access is stamped exactly, each later one with the coarse clock
   unless the chunk is one of the exact ones, which stops when it is old. */
static void stamp(struct hp_chunk *chunk, uint64_t word) {
  bool exact = word & HP_RECORD_EXACT;
  uint64_t now;
  if (HP_UNLIKELY(exact || !chunk->first)) {
    now = hp_clock_now();
    uint64_t none = 0;
    __atomic_compare_exchange_n(&chunk->first, &none, now, false,
                                __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    if (exact && !hp_options.exact_time &&
        now - chunk->t0 > HP_EXACT_STEPS * hp_clock_longest_step())
      __atomic_fetch_and(&chunk->word, ~HP_RECORD_EXACT, __ATOMIC_RELAXED);
  } else {
    now = __atomic_load_n(&hp_clock_coarse, __ATOMIC_RELAXED);
  }
  raise64(&chunk->last, now);
}

void hp_access(struct hp_chunk *chunk, uint64_t offset, uint64_t size,
               int kind) {
  uint64_t word = __atomic_load_n(&chunk->word, __ATOMIC_RELAXED);
  if (HP_UNLIKELY(!(word & HP_RECORD_LIVE)))
    return;
  uint64_t limit = word & HP_SIZE_MAX, end = offset + size;
  if (HP_UNLIKELY(end > limit)) {
    set_flags(chunk, HP_RECORD_OVERRUN);
    end = limit;
  }
  if (HP_LIKELY(offset < end)) {
    if (HP_UNLIKELY(word & HP_RECORD_HUGE)) {
      struct hp_large *large = hp_large_of_chunk(chunk);
      lower64(&large->lo, offset);
      raise64(&large->hi, end);
    } else {
      lower32(&chunk->lo, (uint32_t)offset);
      raise32(&chunk->hi, (uint32_t)end);
    }
  }
  if (kind & HP_ACCESS_READ)
    count(&chunk->reads);
  if (kind & HP_ACCESS_WRITE)
    count(&chunk->writes);
  stamp(chunk, word);
  if (HP_UNLIKELY(chunk->thread != hp_thread_number()))
    set_flags(chunk, HP_RECORD_MULTITHREAD);
}

void hp_access_range(const void *p, size_t n, int kind) {
  uintptr_t offset;
  while (n && hp_heap_offset(p, &offset)) {
    struct hp_owner owner = hp_owner_checked(offset);
    if (!owner.chunk)
      return;
    size_t part = n < owner.slot_rest ? n : owner.slot_rest;
    hp_access(owner.chunk, owner.offset, part, kind);
    p = (const char *)p + part;
    n -= part;
  }
}
