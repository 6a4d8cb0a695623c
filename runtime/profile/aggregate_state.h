/* aggregate_state.h - all that is kept of all points: records, blocks, totals.
   The collector's lock is held by whoever calls.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_AGGREGATE_STATE_H
#define HP_AGGREGATE_STATE_H

#include "origin/point.h"
#include "profile/aggregate_record.h"
#include "profile/aggregate_sum.h"
#include "profile/histogram.h"
#include "profile/timeline.h"
#include "system/arena.h"
#include "system/pool.h"

extern HP_HIDDEN struct hp_aggregates {
  struct hp_arena entries; /* struct entry [points] */
  struct hp_arena records; /* of the FULL ones */
  struct hp_pool blocks;
  size_t groups_bytes; /* in parts of all points */
  uint32_t points;
  bool failed;
  bool sampled; /* chunks have a weight */
  uint64_t short_ticks, orphans;
  uint64_t pooled_chunks; /* live, and not among the timeline's */
  uint64_t peak_bytes, peak_chunks, peak_time, peak; /* peak: its number */
  /* The latest time of any event, and as it was at the peak: what began later
     began behind it, and what had ended by then ended before it. */
  uint64_t latest, peak_latest;
  struct hp_timeline timeline;           /* and what is live */
  struct hp_bytes groups, classes, list; /* of the record being put */
} hp_all;

HP_INLINE void *block_at(uint32_t index) {
  return hp_pool_block(&hp_all.blocks, index);
}

/* 0 without memory. */
HP_INLINE uint32_t take_block(size_t bytes) {
  uint32_t index = hp_pool_take(&hp_all.blocks, bytes);
  hp_all.failed |= !index;
  return index;
}

HP_INLINE void give_block(uint32_t index, size_t bytes) {
  hp_pool_give(&hp_all.blocks, index, bytes);
}

/* Items that fit the block of HEAD bytes and COUNT items of SIZE bytes. */
HP_INLINE uint32_t capacity_for(size_t head, size_t size, size_t count) {
  return (uint32_t)((hp_pool_size(head + count * size) - head) / size);
}

HP_INLINE struct entry *entry_at(uint32_t point) {
  return (struct entry *)(void *)hp_all.entries.base + point;
}

HP_INLINE struct record *record_at(uint64_t number) {
  return (struct record *)(void *)hp_all.records.base + number;
}

HP_INLINE struct record *record_of(const struct entry *full) {
  return record_at(full->more);
}

/* What the record of ENTRY's chunks would say, and their sums of shares; the blocks
   of FEW are to be given back (hp_aggregate_give_blocks). */
struct record hp_aggregate_widened(const struct entry *entry,
                                   struct shares *shares);
void hp_aggregate_give_blocks(struct record *r);
/* Makes ENTRY a FULL one; its record, or NULL without memory. */
struct record *hp_aggregate_widen(struct entry *entry);

HP_INLINE uint64_t t0_of(const struct entry *entry) {
  return entry->t0_low | (uint64_t)entry->t0_high << ENTRY_T0_LOW_BITS;
}

/* Of all chunks that began. */
HP_INLINE uint64_t bytes_of(const struct record *r) {
  uint64_t product;
  if (r->varied)
    return r->size;
  return __builtin_mul_overflow(r->size, r->chunks, &product) ? UINT64_MAX
                                                              : product;
}

HP_INLINE void note_time(uint64_t time) {
  if (HP_LIKELY(time > hp_all.latest))
    hp_all.latest = time;
}

HP_INLINE void note_peak(struct record *r) {
  if (r->peak == hp_all.peak)
    return;
  r->at_peak_bytes = r->live_bytes;
  r->at_peak_chunks = r->live_chunks;
  r->peak = hp_all.peak;
}

HP_INLINE uint64_t tau_at(const struct record *r, uint64_t time) {
  return r->tau > time / 1000 ? r->tau : time / 1000;
}

/* Copies the groups of all parts to hp_all.groups, with room for one more; NULL
   without memory. */
struct group *hp_aggregate_copy_groups(const struct record *r, uint32_t *count);

HP_INLINE uint64_t element_size_of(uint32_t point) {
  const struct hp_type *type =
      point ? hp_point_type(hp_point_get(point)) : NULL;
  return type ? type->element_size : 0;
}

HP_INLINE uint64_t elements_of(uint64_t size, uint64_t element_size) {
  return element_size ? size / element_size : 0;
}

/* Of HP_CLASS that a class has. */
#define CLASS_BITS ((1u << 17) - 1)

/* BYTES: of all WEIGHT chunks; SPAN: of each. */
HP_INLINE void add_to_class(struct class *to, uint32_t weight, uint64_t bytes,
                            uint64_t span) {
  to->chunks += weight;
  add_times(&to->bytes, 1, bytes);
  add_times(&to->span, weight, span);
}

/* The class of BITS among COUNT; NULL if there is none. */
HP_INLINE struct class *find_class(struct class *items, uint32_t count,
                                   uint32_t bits) {
  for (uint32_t i = 0; i < count; i++)
    if (items[i].bits == bits)
      return &items[i];
  return NULL;
}

/* Chunks of R that were profiled. */
HP_INLINE uint64_t samples_of(const struct record *r) {
  return r->sampled ? ((const struct sampled *)block_at(r->sampled))->samples
                    : r->chunks;
}

/* The class of BITS, which is not that at R's head; NULL without memory. */
struct class *hp_aggregate_other_class(struct record *r, uint32_t bits);
HP_INLINE struct class *class_of(struct record *r, uint32_t bits) {
  return HP_LIKELY(r->head.bits == bits) ? &r->head
                                         : hp_aggregate_other_class(r, bits);
}
HP_INLINE size_t classes_size(uint32_t capacity) {
  return sizeof(struct classes) + capacity * sizeof(struct class);
}

HP_INLINE void count_value(uint32_t *histogram, uint64_t value,
                           uint64_t times) {
  if (HP_UNLIKELY(!hp_histogram_count(histogram, &hp_all.blocks, value, times)))
    hp_all.failed = true;
}

/* Until now all lives had as many digits. */
void hp_aggregate_begin_lives(struct record *r, uint64_t life, uint32_t weight);
HP_INLINE void note_life(struct record *r, uint64_t life, uint32_t weight) {
  if (!life) /* hp_dur() is never 0, so that its digits need no question */
    __builtin_unreachable();
  if (r->lives)
    count_value(&r->lives, life, weight);
  else if ((life ^ r->life_max) > (life & r->life_max)) /* other digits */
    hp_aggregate_begin_lives(r, life, weight);
  if (life < r->life_min || !r->life_max)
    r->life_min = life;
  if (life > r->life_max)
    r->life_max = life;
}

/* R's sums of shares; NULL without memory. */
struct shares *hp_aggregate_shares_of(struct record *r);

/* Adds those of WEIGHT chunks that began at T0. */
void hp_aggregate_sum_shares(struct shares *r, uint64_t t0, uint64_t weight,
                             uint64_t share, uint64_t error_share,
                             bool is_sample);

/* The shares of a chunk, in SUMS and its sample's. */
void hp_aggregate_add_shares(struct shares *sums,
                             const struct hp_chunk_log *chunk, bool is_sample);

#endif
