/* allocator_totals.h - what the dump needs: counters and live chunks.
   Called when the window ends and, to begin a new one, in a forked child.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_ALLOCATOR_TOTALS_H
#define HP_ALLOCATOR_TOTALS_H

#include "dump.h"

/* Fills the fields of *TOTALS that the allocator counts. */
void hp_allocator_totals(struct hp_dump_totals *totals);

/* An hp_live_iterator. */
void hp_allocator_each_live(uint64_t end,
                            void (*each)(const struct hp_chunk_log *chunk,
                                         void *arg),
                            void *arg);

/* Sets the counters of the window to 0. */
void hp_allocator_start_window(void);

#endif
