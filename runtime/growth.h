/* growth.h - runs of sizes that strictly ascend, in the order of beginnings:
   how much lies in such runs, and the longest.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_GROWTH_H
#define HP_GROWTH_H

#include "platform.h"

/* Runs of at least HP_GROWING_RUN chunks count.  All zero at first. */
#define HP_GROWING_RUN 4u
struct hp_growth_runs {
  uint64_t run_length, run_first, run_last, run_copied; /* the open run */
  uint64_t length, first, last, copied;                 /* the longest */
  uint64_t chunks, bytes; /* in all that ended and count; bytes saturate */
};

/* A chunk of SIZE bytes is the next; one of 0 bytes is passed over. */
void hp_growth_go_on(struct hp_growth_runs *runs, uint64_t size);

/* The open run ends. */
void hp_growth_end_run(struct hp_growth_runs *runs);

#endif
