/* peak.c - adds up beginnings and ends in order of time.
   The running sum has 128 bits, so that it neither wraps nor saturates.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "measure/peak.h"

#include "base/failure.h"
#include "base/saturate.h"

struct hp_life hp_chunk_life(const struct hp_chunk_log *chunk,
                             uint64_t window) {
  uint64_t end = chunk->t1 > chunk->t0 ? chunk->t1 : hp_add(chunk->t0, 1);
  if (chunk->flags & HP_CHUNK_LIVE && end <= window)
    end = hp_add(window, 1);
  return (struct hp_life){chunk->t0, end, chunk->size, chunk->weight};
}

hp_status hp_peak_of(size_t runs, size_t lives, uint64_t last,
                     hp_life_next *next, void *context, struct hp_peak *peak,
                     struct hp_error *error) {
  hp_life_walk *walk = hp_life_walk_new(runs, lives, last, next, context);
  struct hp_life_event event;
  hp_u128 live = 0, most = 0;
  *peak = (struct hp_peak){0};
  if (!walk)
    return hp_fail_memory(error);
  for (bool first = true; hp_life_walk_next(walk, &event); first = false) {
    if (!event.begins) {
      live -= event.bytes;
      continue;
    }
    live += event.bytes;
    if (live > most || first) {
      most = live;
      peak->time = event.time;
    }
  }
  bool failed = hp_life_walk_failed(walk);
  hp_life_walk_free(walk);
  peak->bytes = hp_clamp128(most);
  return failed ? hp_fail_memory(error) : HP_OK;
}
