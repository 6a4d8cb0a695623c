/* timeline.c - see timeline.h: a row of intervals that never gets longer.
   Where it would, each two become one of twice the length.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/timeline.h"

static void merge(struct hp_timeline_interval *to,
                  const struct hp_timeline_interval *a,
                  const struct hp_timeline_interval *b) {
  struct hp_timeline_interval merged = *a;
  merged.bytes_min = b->bytes_min < a->bytes_min ? b->bytes_min : a->bytes_min;
  merged.bytes_max = b->bytes_max > a->bytes_max ? b->bytes_max : a->bytes_max;
  merged.chunks_min =
      b->chunks_min < a->chunks_min ? b->chunks_min : a->chunks_min;
  merged.chunks_max =
      b->chunks_max > a->chunks_max ? b->chunks_max : a->chunks_max;
  merged.allocations += b->allocations;
  merged.bytes = hp_add_saturated(a->bytes, b->bytes);
  *to = merged;
}

static void double_intervals(struct hp_timeline *t) {
  for (uint32_t i = 0; i <= t->last / 2; i++) {
    const struct hp_timeline_interval *a = &t->intervals[(size_t)2 * i];
    if (2 * i + 1 <= t->last)
      merge(&t->intervals[i], a, a + 1);
    else
      t->intervals[i] = *a;
  }
  t->last /= 2;
  t->doubled++;
}

static unsigned shift_of(const struct hp_timeline *t) {
  return HP_TIMELINE_SHIFT + t->doubled;
}

static void set_open(struct hp_timeline *t) {
  t->until = ((uint64_t)t->last + 1) << shift_of(t);
  t->open = &t->intervals[t->last];
}

void hp_timeline_advance(struct hp_timeline *t, uint64_t time) {
  while (time >> shift_of(t) >= HP_TIMELINE_MAX)
    double_intervals(t);
  uint32_t to = (uint32_t)(time >> shift_of(t));
  while (t->last < to)
    t->intervals[++t->last] =
        (struct hp_timeline_interval){.bytes_min = t->bytes,
                                      .bytes_max = t->bytes,
                                      .chunks_min = t->chunks,
                                      .chunks_max = t->chunks};
  set_open(t);
}

/* Makes intervals of both of one length; where nothing was noted, that is any. */
static void match(struct hp_timeline *t, struct hp_resident_series *resident) {
  if (resident->last == 0 && resident->intervals[0].most == 0)
    resident->doubled = t->doubled;
  while (resident->doubled < t->doubled)
    hp_resident_series_double(resident);
  if (t->doubled == resident->doubled)
    return;
  while (t->doubled < resident->doubled)
    double_intervals(t);
  set_open(t);
}

size_t hp_timeline_put(struct hp_timeline *t, struct hp_bytes *to,
                       struct hp_bytes *scratch, uint64_t end) {
  hp_timeline_advance(t, end);
  struct hp_resident_series *resident = hp_resident_open_series();
  if (resident)
    match(t, resident);
  for (uint64_t i = 0; i <= t->last; i++) {
    const struct hp_timeline_interval *interval = &t->intervals[i];
    const struct hp_resident_bytes seen =
        resident ? resident->intervals[i] : (struct hp_resident_bytes){0};
    uint64_t next = (i + 1) << shift_of(t);
    const struct {
      unsigned tag;
      uint64_t value;
    } fields[] = {
        {HP_TIMELINE_begin, i << shift_of(t)},
        {HP_TIMELINE_end, next < end ? next : end},
        {HP_TIMELINE_bytes_min, interval->bytes_min},
        {HP_TIMELINE_bytes_max, interval->bytes_max},
        {HP_TIMELINE_chunks_min, interval->chunks_min},
        {HP_TIMELINE_chunks_max, interval->chunks_max},
        {HP_TIMELINE_allocations, interval->allocations},
        {HP_TIMELINE_bytes, interval->bytes},
        {HP_TIMELINE_resident_min, seen.least},
        {HP_TIMELINE_resident_max, seen.most},
    };
    for (size_t f = 0; f < sizeof fields / sizeof fields[0]; f++)
      if (fields[f].value)
        hp_put_u64_field(scratch, fields[f].tag, fields[f].value);
    hp_put_record(to, scratch);
  }
  if (resident)
    hp_resident_close_series();
  return t->last + (size_t)1;
}
