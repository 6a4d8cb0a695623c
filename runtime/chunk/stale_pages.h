/* stale_pages.h - which bytes of large chunks are in memory and were not written for
   a while: with the option stale_pages, where the kernel tells.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_STALE_PAGES_H
#define HP_STALE_PAGES_H

#include "heap/chunk.h"
#include "stale_measure.h"
#include "system/platform.h"

/* Each time that hp_options.stale_pages milliseconds have gone by, and for a dump,
   all pages that were written since the time before get the number of that look.
   A page is stale if its look is so long ago. */

/* Once, when the heap is there. */
void hp_stale_pages_start(void);
/* In a forked child nothing is known, nor once the program limits its memory. */
void hp_stale_pages_forget(void);

/* Whether a look is due: from the ticker. */
bool hp_stale_pages_due(void);
/* Looks.  Belongs to who has the writer's lock. */
void hp_stale_pages_look(void);

/* Adds [START, END) of a live chunk that stands for WEIGHT ones. */
void hp_stale_pages_add(struct hp_stale_sum *sum, uintptr_t start,
                        uintptr_t end, uint64_t weight);

/* For how many milliseconds a stale page was not written, at least; 0: nothing is
   known.  And whether that was asked for. */
uint64_t hp_stale_pages_ms(void);
bool hp_stale_pages_are_missing(void);

#endif
