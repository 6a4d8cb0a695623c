/* allocator_totals.h - what the collector needs: counters and live chunks.
   Called at checkpoints, when the window ends, and in a forked child.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_ALLOCATOR_TOTALS_H
#define HP_ALLOCATOR_TOTALS_H

#include "chunk/window_totals.h"
#include "heap/chunk_reference.h"
#include "heapprof_format.h"

/* Fills the fields of *TOTALS that the allocator counts. */
void hp_allocator_totals(struct hp_dump_totals *totals);

/* Chunks begun in the window, sampled or not, where there is sampling. */
uint64_t hp_allocator_requests(void);

/* Calls EACH for every chunk begun up to END that is live now; other threads
   may begin and end chunks meanwhile. */
void hp_allocator_each_live(uint64_t end,
                            void (*each)(const struct hp_chunk_reference *live,
                                         void *arg),
                            void *arg);

/* Makes *CHUNK one of those, but for LIVE and what only an end says; its ticks
   absolute.  False: it ended meanwhile. */
bool hp_allocator_describe(const struct hp_chunk_reference *live,
                           struct hp_chunk_log *chunk);

/* Sets the counters of the window to 0. */
void hp_allocator_start_window(void);

#endif
