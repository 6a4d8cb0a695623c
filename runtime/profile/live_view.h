/* live_view.h - the chunks that are live at a moment, by the events taken so
   far: threads go on allocating while somebody looks at them.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_LIVE_VIEW_H
#define HP_LIVE_VIEW_H

#include "heap/chunk_reference.h"
#include "heapprof_format.h"
#include "system/clock.h"

struct hp_heap_region;

/* The chunks that are live at a moment. */
struct hp_live_chunks {
  /* Calls EACH for every chunk live at END (absolute ticks). */
  void (*each)(uint64_t end,
               void (*each)(const struct hp_chunk_reference *live, void *arg),
               void *arg);
  /* Makes *CHUNK one of those, with LIVE set and t1 = END; its ticks count from
     the window's start. */
  void (*describe)(const struct hp_chunk_reference *live, uint64_t end,
                   struct hp_chunk_log *chunk);
  /* Calls EACH for every part of the heap that chunks were in, by address. */
  void (*each_region)(void (*each)(const struct hp_heap_region *region,
                                   void *arg),
                      void *arg);
};

extern const struct hp_live_chunks hp_live_view;

/* Makes CHUNK's ticks count from the window's start. */
HP_INLINE void hp_chunk_put_in_window(struct hp_chunk_log *chunk) {
  chunk->t0 = hp_clock_in_window(chunk->t0);
  chunk->t1 = hp_clock_in_window(chunk->t1);
  chunk->first = hp_clock_in_window(chunk->first);
  chunk->last = hp_clock_in_window(chunk->last);
}

#endif
