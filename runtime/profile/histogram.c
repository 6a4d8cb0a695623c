/* histogram.c - see histogram.h: a row of counters that grows at both ends.
   Its block is replaced by a larger one.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/histogram.h"

static size_t size_of(uint32_t capacity) {
  return sizeof(struct hp_digit_histogram) + capacity * sizeof(uint64_t);
}

/* Takes *LOW and *HIGH, the first bucket and the last, as far apart as those
   of H that count something. */
static void cover(const struct hp_digit_histogram *h, uint32_t *low,
                  uint32_t *high) {
  for (uint32_t i = 0; i < h->capacity; i++)
    if (h->counts[i]) {
      *low = h->base + i < *low ? h->base + i : *low;
      *high = h->base + i > *high ? h->base + i : *high;
    }
}

/* Makes the histogram *INDEX hold BUCKET as well. */
static bool widen(uint32_t *index, struct hp_pool *pool, uint32_t bucket) {
  struct hp_digit_histogram *old = *index ? hp_pool_block(pool, *index) : NULL;
  uint32_t low = bucket, high = bucket;
  if (old)
    cover(old, &low, &high);
  size_t size = hp_pool_size(size_of(high - low + 1));
  uint32_t made = hp_pool_take(pool, size);
  if (!made)
    return false;
  struct hp_digit_histogram *new = hp_pool_block(pool, made);
  new->base = low;
  new->capacity = (uint32_t)((size - sizeof *new) / sizeof new->counts[0]);
  if (old) {
    for (uint32_t i = 0; i < old->capacity; i++)
      if (old->counts[i])
        new->counts[old->base + i - low] = old->counts[i];
    hp_pool_give(pool, *index, size_of(old->capacity));
  }
  *index = made;
  return true;
}

HP_COLD bool hp_histogram_widen(uint32_t *histogram, struct hp_pool *pool,
                                uint64_t value, uint64_t times) {
  uint32_t bucket = hp_digits(value);
  if (!widen(histogram, pool, bucket))
    return false;
  struct hp_digit_histogram *h = hp_pool_block(pool, *histogram);
  h->counts[bucket - h->base] += times;
  return true;
}

void hp_histogram_put(uint32_t histogram, const struct hp_pool *pool,
                      struct hp_bytes *to) {
  const struct hp_digit_histogram *h = hp_pool_block(pool, histogram);
  uint32_t low = 0, high = h->capacity;
  while (low < high && !h->counts[low])
    low++;
  while (high > low && !h->counts[high - 1])
    high--;
  hp_put_varint(to, h->base + low);
  for (; low < high; low++)
    hp_put_varint(to, h->counts[low]);
}
