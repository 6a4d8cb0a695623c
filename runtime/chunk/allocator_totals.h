/* allocator_totals.h - what is counted of a window beside points.
   Called at checkpoints, when the window ends, and in a forked child.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_ALLOCATOR_TOTALS_H
#define HP_ALLOCATOR_TOTALS_H

#include "chunk/window_totals.h"

/* Fills the fields of *TOTALS that the allocator counts. */
void hp_allocator_totals(struct hp_dump_totals *totals);

/* The process has made a child, in which what lives now may be accessed, too;
   or is one. */
void hp_allocator_forked(void);
void hp_allocator_after_fork_child(void);

/* Chunks begun in the window, sampled or not, where there is sampling. */
uint64_t hp_allocator_requests(void);

/* Sets the counters of the window to 0. */
void hp_allocator_start_window(void);

#endif
