/* accessed_bytes.c - see accessed_bytes.h: the hull of what the records of a chunk
   say.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/accessed_bytes.h"

#include "heap/heap.h"
#include "heap/share.h"

void hp_accessed_bytes(const struct hp_chunk *chunk, uint64_t *lo,
                       uint64_t *hi) {
  const struct hp_crowd *crowd = hp_crowd_of(chunk);
  const uint64_t word = hp_cold_of(chunk)->word;
  *lo = *hi = 0;
  if (HP_UNLIKELY(word & HP_RECORD_HUGE)) {
    const struct hp_others *huge = hp_others_of(chunk);
    if (huge->huge_lo < huge->huge_hi) {
      *lo = huge->huge_lo;
      *hi = huge->huge_hi;
    }
    return;
  }
  uint32_t from = chunk->lo, to = chunk->hi;
  uint64_t areas =
      word & HP_RECORD_MULTITHREAD ? hp_others_of(chunk)->areas : 0;
  for (const struct hp_chunk *share; (share = hp_share_next(chunk, &areas));) {
    if (!share->thread)
      continue; /* it is just being claimed */
    from = share->lo < from ? share->lo : from;
    to = share->hi > to ? share->hi : to;
  }
  if (HP_UNLIKELY(word & HP_RECORD_CROWD) && (crowd->not_lo || crowd->hi)) {
    from = ~crowd->not_lo < from ? ~crowd->not_lo : from;
    to = crowd->hi > to ? crowd->hi : to;
  }
  if (from > to)
    return;
  uint32_t start = (uint32_t)hp_chunk_start(chunk);
  *lo = from - start;
  *hi = (uint64_t)(to - start) + 1;
}
