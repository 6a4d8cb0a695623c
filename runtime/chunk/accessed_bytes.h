/* accessed_bytes.h - which bytes of a chunk were accessed, by all threads.
   For who describes a chunk, not for who accesses it.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_ACCESSED_BYTES_H
#define HP_ACCESSED_BYTES_H

#include "heap/chunk.h"

/* The bytes [*LO, *HI) of a live chunk that any thread has accessed, from its
   start; both 0 if none. */
void hp_accessed_bytes(const struct hp_chunk *chunk, uint64_t *lo,
                       uint64_t *hi);

/* What its own record says of the chunk at START, whose lower half is enough. */
HP_INLINE void hp_own_accessed_bytes(const struct hp_chunk *chunk,
                                     uint32_t start, uint64_t *lo,
                                     uint64_t *hi) {
  const uint32_t from = chunk->lo, to = chunk->hi;
  *lo = *hi = 0;
  if (from <= to) {
    *lo = from - start;
    *hi = (uint64_t)(to - start) + 1;
  }
}

/* The same of a chunk with this WORD (chunk.h), of which mostly its own record
   says all. */
#define HP_RECORD_ELSEWHERE                                                    \
  (HP_RECORD_MULTITHREAD | HP_RECORD_CROWD | HP_RECORD_HUGE)
HP_INLINE void hp_accessed_bytes_of(const struct hp_chunk *chunk, uint64_t word,
                                    uint64_t *lo, uint64_t *hi) {
  if (HP_UNLIKELY(word & HP_RECORD_ELSEWHERE)) {
    hp_accessed_bytes(chunk, lo, hi);
    return;
  }
  hp_own_accessed_bytes(
      chunk, (uint32_t)(uintptr_t)chunk + (uint32_t)hp_front_of(word), lo, hi);
}

#endif
