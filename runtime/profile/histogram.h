/* histogram.h - how many values have so many binary digits.
   Room for those digits only that occur, in a block of a pool.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_HISTOGRAM_H
#define HP_HISTOGRAM_H

#include "chunk_measure.h"
#include "encode/encode.h"
#include "system/pool.h"

/* A block of a pool; counter i is of values with base + i binary digits.  Of most
   points no counter gets large, so that a smallest block has room for 14 of them;
   IS_WIDE: those of 64 bits.
     +0   u8  base
     +1   u8  is_wide
     +2   u16 capacity   counters
     +4   u16 few[]; of 64 bits from +8 on                                     */
struct hp_digit_histogram {
  uint8_t base;
  uint8_t is_wide;
  uint16_t capacity;
  uint16_t few[];
};
_Static_assert(offsetof(struct hp_digit_histogram, few) == 4, "layout");
#define HP_HISTOGRAM_WIDE_HEAD 8u

/* Those of 64 bits of H, or of a const one, as a block of a pool is aligned. */
HP_INLINE uint64_t *hp_histogram_many(const struct hp_digit_histogram *h) {
  return (uint64_t *)((uintptr_t)h + HP_HISTOGRAM_WIDE_HEAD);
}

/* hp_histogram_count() where *HISTOGRAM has no room for that yet. */
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
  if (h->is_wide) {
    hp_histogram_many(h)[bucket] += times;
    return true;
  }
  const uint64_t count = h->few[bucket] + times;
  if (HP_UNLIKELY(count > UINT16_MAX))
    return hp_histogram_widen(histogram, pool, value, times);
  h->few[bucket] = (uint16_t)count;
  return true;
}

/* Its block, if there is one. */
void hp_histogram_give(uint32_t histogram, struct hp_pool *pool);

/* Appends the lowest digits that occur, and the counts from there on. */
void hp_histogram_put(uint32_t histogram, const struct hp_pool *pool,
                      struct hp_bytes *to);

#endif
