/* timeline.h - the process over time: what was live and what began.
   Each interval keeps minimum and maximum; neighbours merge as time goes on.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_TIMELINE_H
#define HP_TIMELINE_H

#include "encode/encode.h"
#include "heapprof_format.h"
#include "profile/resident_series.h"
#include "system/platform.h"

struct hp_timeline_interval {
  uint64_t bytes_min, bytes_max;   /* live at its begin or after an event */
  uint64_t chunks_min, chunks_max; /* the same */
  uint64_t allocations, bytes;     /* begun in it; bytes saturate */
};
_Static_assert(sizeof(struct hp_timeline_interval) == 48, "layout");

/* Interval i is [i << s, (i + 1) << s), s = HP_TIMELINE_SHIFT + doubled.  All
   zero is an empty timeline. */
struct hp_timeline {
  uint32_t doubled;
  uint32_t last;  /* the open interval */
  uint64_t until; /* where that ends; 0 before the first event */
  struct hp_timeline_interval *open; /* it, after the first event */
  uint64_t bytes, chunks;            /* live after the last event */
  struct hp_timeline_interval intervals[HP_TIMELINE_MAX];
};

/* Opens the interval of TIME, which is not before the open one. */
void hp_timeline_advance(struct hp_timeline *timeline, uint64_t time);

/* From TIME on so much is live.  What comes late counts for the open interval.
   Mostly nothing but what is live changes, so that comparing comes before
   storing. */
HP_INLINE struct hp_timeline_interval *hp_timeline_note(struct hp_timeline *t,
                                                        uint64_t time,
                                                        uint64_t bytes,
                                                        uint64_t chunks) {
  if (HP_UNLIKELY(time >= t->until))
    hp_timeline_advance(t, time);
  t->bytes = bytes;
  t->chunks = chunks;
  return t->open;
}

/* The same where BEGUN chunks of together SIZE bytes are new. */
HP_INLINE void hp_timeline_begin(struct hp_timeline *t, uint64_t time,
                                 uint64_t bytes, uint64_t chunks,
                                 uint64_t begun, uint64_t size) {
  struct hp_timeline_interval *open = hp_timeline_note(t, time, bytes, chunks);
  if (HP_UNLIKELY(bytes > open->bytes_max))
    open->bytes_max = bytes;
  if (HP_UNLIKELY(chunks > open->chunks_max))
    open->chunks_max = chunks;
  open->allocations += begun;
  if (HP_UNLIKELY(__builtin_add_overflow(open->bytes, size, &open->bytes)))
    open->bytes = UINT64_MAX;
}

/* The same where chunks ended. */
HP_INLINE void hp_timeline_end(struct hp_timeline *t, uint64_t time,
                               uint64_t bytes, uint64_t chunks) {
  struct hp_timeline_interval *open = hp_timeline_note(t, time, bytes, chunks);
  if (HP_UNLIKELY(bytes < open->bytes_min))
    open->bytes_min = bytes;
  if (HP_UNLIKELY(chunks < open->chunks_min))
    open->chunks_min = chunks;
}

/* Appends the records up to END, which is not before any event, to TO; their
   number.  SCRATCH is empty and is left so. */
size_t hp_timeline_put(struct hp_timeline *timeline, struct hp_bytes *to,
                       struct hp_bytes *scratch, uint64_t end);

#endif
