/* histogram.c - see histogram.h: a row of counters that grows at both ends.
   Its block is replaced by a larger one.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/histogram.h"

static size_t size_of(uint32_t capacity, bool is_wide) {
  return is_wide
             ? HP_HISTOGRAM_WIDE_HEAD + capacity * sizeof(uint64_t)
             : sizeof(struct hp_digit_histogram) + capacity * sizeof(uint16_t);
}

static uint32_t capacity_of(size_t size, bool is_wide) {
  return (uint32_t)(is_wide ? (size - HP_HISTOGRAM_WIDE_HEAD) / sizeof(uint64_t)
                            : (size - sizeof(struct hp_digit_histogram)) /
                                  sizeof(uint16_t));
}

static uint64_t count_of(const struct hp_digit_histogram *h, uint32_t i) {
  return h->is_wide ? hp_histogram_many(h)[i] : h->few[i];
}

static void set_count(struct hp_digit_histogram *h, uint32_t i,
                      uint64_t count) {
  if (h->is_wide)
    hp_histogram_many(h)[i] = count;
  else
    h->few[i] = (uint16_t)count;
}

/* That of BUCKET, which H may have no room for. */
static uint64_t count_at(const struct hp_digit_histogram *h, uint32_t bucket) {
  const uint32_t i = bucket - h->base;
  return i < h->capacity ? count_of(h, i) : 0;
}

/* Takes *LOW and *HIGH, the first bucket and the last, as far apart as those
   of H that count something. */
static void cover(const struct hp_digit_histogram *h, uint32_t *low,
                  uint32_t *high) {
  for (uint32_t i = 0; i < h->capacity; i++)
    if (count_of(h, i)) {
      *low = h->base + i < *low ? h->base + i : *low;
      *high = h->base + i > *high ? h->base + i : *high;
    }
}

/* Makes the histogram *INDEX hold BUCKET as well, in counters of 64 bits if
   IS_WIDE. */
static bool widen(uint32_t *index, struct hp_pool *pool, uint32_t bucket,
                  bool is_wide) {
  struct hp_digit_histogram *old = *index ? hp_pool_block(pool, *index) : NULL;
  uint32_t low = bucket, high = bucket;
  if (old)
    cover(old, &low, &high);
  size_t size = hp_pool_size(size_of(high - low + 1, is_wide));
  uint32_t made = hp_pool_take(pool, size);
  if (!made)
    return false;
  struct hp_digit_histogram *new = hp_pool_block(pool, made);
  new->base = (uint8_t)low;
  new->is_wide = is_wide;
  new->capacity = (uint16_t)capacity_of(size, is_wide);
  if (old) {
    for (uint32_t i = 0; i < old->capacity; i++)
      if (count_of(old, i))
        set_count(new, old->base + i - low, count_of(old, i));
    hp_pool_give(pool, *index, size_of(old->capacity, old->is_wide));
  }
  *index = made;
  return true;
}

HP_COLD bool hp_histogram_widen(uint32_t *histogram, struct hp_pool *pool,
                                uint64_t value, uint64_t times) {
  const uint32_t bucket = hp_digits(value);
  const struct hp_digit_histogram *old =
      *histogram ? hp_pool_block(pool, *histogram) : NULL;
  const uint64_t count = (old ? count_at(old, bucket) : 0) + times;
  if (!widen(histogram, pool, bucket,
             (old && old->is_wide) || count > UINT16_MAX))
    return false;
  struct hp_digit_histogram *h = hp_pool_block(pool, *histogram);
  set_count(h, bucket - h->base, count);
  return true;
}

void hp_histogram_give(uint32_t histogram, struct hp_pool *pool) {
  const struct hp_digit_histogram *h = hp_pool_block(pool, histogram);
  if (histogram)
    hp_pool_give(pool, histogram, size_of(h->capacity, h->is_wide));
}

void hp_histogram_put(uint32_t histogram, const struct hp_pool *pool,
                      struct hp_bytes *to) {
  const struct hp_digit_histogram *h = hp_pool_block(pool, histogram);
  uint32_t low = 0, high = h->capacity;
  while (low < high && !count_of(h, low))
    low++;
  while (high > low && !count_of(h, high - 1))
    high--;
  hp_put_varint(to, h->base + low);
  for (; low < high; low++)
    hp_put_varint(to, count_of(h, low));
}
