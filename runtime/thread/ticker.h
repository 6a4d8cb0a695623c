/* ticker.h - the runtime's own thread that steps the coarse clock, and at each
   step looks at what may be due.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_TICKER_H
#define HP_TICKER_H

#include "system/platform.h"

/* In a forked child, too, which has its parent's no more.  False: there can be no thread; options.exact_time is
   set then, so that every access reads the clock. */
bool hp_ticker_start(void);

bool hp_ticker_need(
    void); /* starts it unless it runs; false: it cannot be had */

/* Until it is started again: some system calls are for processes of one thread
   only. */
void hp_ticker_end(void);

/* From now on each step calls all of LOOKS, up to a NULL. */
void hp_ticker_watch(void (*const *looks)(void));

/* From now on it sleeps for so many STEPS of the coarse clock at once, 1 at the
   start: where nobody asks that clock but who renews it (hp_clock_noted()). */
#define HP_TICKER_SLOW 16u
void hp_ticker_pace(unsigned steps);

#endif
