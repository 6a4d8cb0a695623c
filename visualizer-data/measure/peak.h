/* peak.h - most requested bytes live at once, and the first time of it.
   At equal time a free comes before an allocation.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_PEAK_H
#define HP_PEAK_H

#include "heapprof.h"
#include "heapprof_format.h"
#include "measure/life_walk.h"

/* WINDOW is the end of the window in ticks: live chunks last just beyond it.
   A chunk lives at least one tick, as in dur(). */
struct hp_life hp_chunk_life(const struct hp_chunk_log *chunk, uint64_t window);

struct hp_peak {
  uint64_t bytes; /* saturates */
  uint64_t time;  /* 0 without any life */
};

/* Of the lives of all runs, as hp_life_walk_new takes them. */
hp_status hp_peak_of(size_t runs, size_t lives, uint64_t last,
                     hp_life_next *next, void *context, struct hp_peak *peak,
                     struct hp_error *error);

static inline bool hp_life_covers(const struct hp_life *life, uint64_t time) {
  return life->begin <= time && time < life->end;
}

#endif
