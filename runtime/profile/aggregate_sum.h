/* aggregate_sum.h - sums over chunks: of 64 bits, which saturate, or longer.
   No sum depends on the order of what is added.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_AGGREGATE_SUM_H
#define HP_AGGREGATE_SUM_H

#include "profile/aggregate_record.h"

/* WEIGHT times VALUE; it saturates. */
HP_INLINE uint64_t times(uint32_t weight, uint64_t value) {
  uint64_t product;
  return __builtin_mul_overflow(value, (uint64_t)weight, &product) ? UINT64_MAX
                                                                   : product;
}

/* *SUM plus WEIGHT times VALUE; it saturates. */
HP_INLINE void add_times(uint64_t *sum, uint32_t weight, uint64_t value) {
  uint64_t product;
  if (HP_UNLIKELY(__builtin_mul_overflow(value, (uint64_t)weight, &product)) ||
      HP_UNLIKELY(__builtin_add_overflow(*sum, product, sum)))
    *sum = UINT64_MAX;
}

/* Shares are of 80 bits. */
HP_INLINE void add_share(uint64_t *low, uint16_t *high, uint64_t share) {
  *high = (uint16_t)(*high + __builtin_add_overflow(*low, share, low));
}

HP_INLINE hp_wide wide(uint64_t low, uint64_t high) {
  return (hp_wide)high << 64 | low;
}

/* And so are the lives of a group. */
HP_INLINE void add_lives(struct group *group, uint64_t low, uint64_t high) {
  high += __builtin_add_overflow(group->lives, low, &group->lives);
  group->chunks_lives += high << 48;
}

HP_INLINE void add_weighted_life(struct group *group, uint64_t life,
                                 uint32_t weight) {
  hp_wide lives = (hp_wide)life * weight;
  add_lives(group, (uint64_t)lives, (uint64_t)(lives >> 64));
}

HP_INLINE void merge_into(struct group *group, const struct group *next) {
  group->last = next->last;
  group->end = next->end > group->end ? next->end : group->end;
  group->chunks += next->chunks;
  add_lives(group, next->lives, next->lives_high);
}

/* Merges neighbours whose gap is at most TAU; how many are left. */
HP_INLINE uint32_t merge_groups(struct group *items, uint32_t count,
                                uint64_t tau) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++)
    if (kept && items[i].first - items[kept - 1].last <= tau)
      merge_into(&items[kept - 1], &items[i]);
    else
      items[kept++] = items[i];
  return kept;
}

#endif
