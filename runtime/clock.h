/* clock.h - time in ticks: an exact reading, and a coarse word that a ticker
   keeps fresh. An access stores the coarse word, since reading the counter
   costs more than the access itself. SPDX-License-Identifier: Apache-2.0 WITH
   LLVM-exception */
#ifndef HP_CLOCK_H
#define HP_CLOCK_H

#include "platform.h"

/* The coarse clock: ticks at the last step.  On a cache line of its own;
   written only by the ticker, read by every access. */
extern uint64_t hp_clock_coarse;
extern bool hp_clock_is_tsc;

uint64_t hp_clock_monotonic(void);

/* Ticks now, exactly: 8 ns. */
HP_INLINE uint64_t hp_clock_now(void) {
  if (HP_LIKELY(hp_clock_is_tsc))
    return __builtin_ia32_rdtsc();
  return hp_clock_monotonic();
}

/* Chooses the clock, notes the start of the window and starts the ticker; in a
   forked child again.  If no ticker can be had, options.exact_time is set. */
void hp_clock_start(void);

uint64_t hp_clock_window_start(
    void); /* ticks; t0 of a chunk begun before it is smaller */
uint64_t
hp_clock_ticks_per_second(void); /* measured from the start until now */
uint64_t hp_clock_start_unix_ns(void);
uint64_t hp_clock_tick_period(void); /* ticks between two steps, as asked for */
uint64_t
hp_clock_longest_step(void); /* ticks; longest so far, at least the period */
uint64_t
hp_clock_tick_max(void); /* the same, with the step that is not over yet */

#endif
