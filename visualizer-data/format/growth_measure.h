/* growth_measure.h - what the chains of growth at one allocation point add up to.
   Shared by the runtime's aggregates and the library, which sums up the log.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_GROWTH_MEASURE_H
#define HP_GROWTH_MEASURE_H

#include <stdbool.h>

#include "heapprof_format.h"

/* A chunk that takes over from a smaller one, which ends, goes on with its
   chain: a vector's storage, a text that realloc makes longer.  Chains of fewer
   chunks are none. */
#define HP_GROWING_CHAIN 4u

/* Chains of one kind (enum hp_chain); all zero at first, sums saturate.
   A chain counts at the point of its fourth chunk, with all chunks so far,
   wherever those were allocated; each later chunk at its own point. */
struct hp_growth_sum {
  uint64_t chains;
  uint64_t chunks;
  uint64_t bytes;  /* their sizes */
  uint64_t copied; /* bytes, from chunk to chunk */
  /* The longest, and of equal ones that which copied most, up to its last chunk
     at this point: chunks, sizes in bytes, bytes copied. */
  uint64_t length, first, last, longest_copied;
};

static inline void hp_growth_add_times(uint64_t *sum, uint64_t value,
                                       uint64_t times) {
  uint64_t product;
  if (__builtin_mul_overflow(value, times, &product) ||
      __builtin_add_overflow(*sum, product, sum))
    *sum = UINT64_MAX;
}

static inline bool hp_growth_is_longer(uint64_t length, uint64_t copied,
                                       const struct hp_growth_sum *than) {
  return length > than->length ||
         (length == than->length && copied > than->longest_copied);
}

static inline bool hp_growth_counts(const struct hp_chunk_log *chunk) {
  return chunk->flags & HP_CHUNK_GROWN &&
         chunk->chain_length >= HP_GROWING_CHAIN &&
         chunk->chain_kind < HP_CHAIN_COUNT;
}

/* SUMS[k] is of kind k. */
static inline void hp_growth_add(struct hp_growth_sum sums[HP_CHAIN_COUNT],
                                 const struct hp_chunk_log *chunk) {
  if (!hp_growth_counts(chunk))
    return;
  struct hp_growth_sum *s = &sums[chunk->chain_kind];
  const uint64_t times = chunk->weight;
  const bool is_new = chunk->chain_length == HP_GROWING_CHAIN;
  hp_growth_add_times(&s->chains, is_new, times);
  hp_growth_add_times(&s->chunks, is_new ? HP_GROWING_CHAIN : 1, times);
  hp_growth_add_times(&s->bytes, chunk->size, times);
  hp_growth_add_times(&s->bytes, is_new ? chunk->chain_bytes : 0, times);
  hp_growth_add_times(&s->copied, is_new ? chunk->chain_copied : chunk->copied,
                      times);
  if (hp_growth_is_longer(chunk->chain_length, chunk->chain_copied, s)) {
    s->length = chunk->chain_length;
    s->first = chunk->chain_first;
    s->last = chunk->size;
    s->longest_copied = chunk->chain_copied;
  }
}

#endif
