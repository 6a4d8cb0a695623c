/* history.h - random chunks in the order of their events.
   The same seed gives the same history everywhere.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_HISTORY_H
#define HP_HISTORY_H

#include "heapprof_format.h"

#include <stdbool.h>
#include <stddef.h>

/* A chunk of the history: its log entry, complete once it has ended. */
struct hp_past {
  struct hp_chunk_log chunk;
  bool ended;
};

struct hp_history {
  struct hp_past *chunks; /* in the order of their beginnings */
  size_t count, capacity;
  size_t *live; /* indices of chunks that have not ended */
  size_t live_count;
  uint64_t now;   /* ticks; no later event has happened */
  bool has_begun; /* a chunk, at NOW: nothing may end at this time any more */
  uint64_t state;
  uint32_t points, threads;
};

void hp_history_begin(struct hp_history *history, uint64_t seed);
void hp_history_end(struct hp_history *history);
uint64_t hp_history_random(struct hp_history *history, uint64_t below);

/* Lets something happen; tells aggregate.c. */
void hp_history_step(struct hp_history *history);

/* The chunks of POINT that are live, as they would be logged if the window
   ended at END, by t0; their number. */
size_t hp_history_live(struct hp_history *history, uint32_t point, uint64_t end,
                       struct hp_chunk_log *live);

#endif
