/* histogram.h - how many values have so many binary digits.
   Room for those digits only that occur, in a block of a pool.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_HISTOGRAM_H
#define HP_HISTOGRAM_H

#include "chunk_measure.h"
#include "encode/encode.h"
#include "system/pool.h"

/* A block of a pool; counts[i] is of values with base + i binary digits. */
struct hp_digit_histogram {
  uint32_t base, capacity;
  uint64_t counts[];
};

/* hp_histogram_count() where *HISTOGRAM has no room for VALUE yet. */
bool hp_histogram_widen(uint32_t *histogram, struct hp_pool *pool,
                        uint64_t value, uint64_t times);

/* Adds TIMES to the count of VALUE's digits in *HISTOGRAM, a block of POOL, 0
   at first.  False: it needed memory that there was not. */
HP_INLINE bool hp_histogram_count(uint32_t *histogram, struct hp_pool *pool,
                                  uint64_t value, uint64_t times) {
  struct hp_digit_histogram *h = hp_pool_block(pool, *histogram);
  uint32_t bucket = hp_digits(value) - h->base;
  if (HP_UNLIKELY(!*histogram || bucket >= h->capacity))
    return hp_histogram_widen(histogram, pool, value, times);
  h->counts[bucket] += times;
  return true;
}

/* Appends the lowest digits that occur, and the counts from there on. */
void hp_histogram_put(uint32_t histogram, const struct hp_pool *pool,
                      struct hp_bytes *to);

#endif
