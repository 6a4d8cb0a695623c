/* peak.h - most requested bytes live at once, and the first time of it.
   At equal time a free comes before an allocation.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_PEAK_H
#define HP_PEAK_H

#include "heapprof.h"
#include "heapprof_format.h"

/* A chunk's bytes are live in [begin, end). */
struct hp_span {
  uint64_t begin, end;
  uint64_t bytes;
};

/* WINDOW is the end of the window in ticks: live chunks last just beyond it.
   A chunk lives at least one tick, as in dur(). */
struct hp_span hp_chunk_life(const struct hp_chunk_log *chunk, uint64_t window);

struct hp_peak {
  uint64_t bytes; /* saturates */
  uint64_t time;  /* 0 without any span */
};

/* SPANS are sorted by begin if they are not. */
hp_status hp_peak_of(struct hp_span *spans, size_t count, struct hp_peak *peak,
                     struct hp_error *error);

static inline bool hp_span_covers(const struct hp_span *span, uint64_t time) {
  return span->begin <= time && time < span->end;
}

#endif
