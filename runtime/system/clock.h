/* clock.h - time in ticks: an exact reading, and a coarse word kept fresh.
   An access stores the coarse word: the counter costs more than it.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_CLOCK_H
#define HP_CLOCK_H

#include "hook_abi.h"
#include "system/platform.h"

/* The coarse clock: ticks at the last step.  On a cache line of its own;
   written only by the ticker, read by every access. */
extern HP_SHARED uint64_t hp_clock_coarse __asm__(HP_CLOCK_SYMBOL);
extern HP_HIDDEN bool hp_clock_is_tsc;
extern HP_HIDDEN bool hp_clock_is_exact; /* every access reads the counter */

uint64_t hp_clock_monotonic(void);

/* Ticks of the processor's counter, where hp_clock_is_tsc: 16 cycles, about as
   long as a reading takes.  Finer ones would say nothing more, and each time in
   the log would take half a byte more. */
HP_INLINE uint64_t hp_clock_tsc(void) { return __builtin_ia32_rdtsc() >> 4; }

/* Ticks now, exactly: 8 ns. */
HP_INLINE uint64_t hp_clock_now(void) {
  return HP_LIKELY(hp_clock_is_tsc) ? hp_clock_tsc() : hp_clock_monotonic();
}

/* Steps the coarse clock to NOW; for the ticker, and for whoever has read the
   clock and finds it late. */
void hp_clock_step(uint64_t now);
/* From now on accesses ask it: how long it stood before is of no interest. */
void hp_clock_begin_steps(void);
extern HP_HIDDEN uint64_t
    hp_clock_period; /* ticks between two steps, as asked for */
extern HP_HIDDEN int64_t hp_clock_late; /* two of them */

/* Whether the coarse clock, which says COARSE, is far behind the exact reading
   NOW. */
HP_INLINE bool hp_clock_is_late(uint64_t coarse, uint64_t now) {
  return (int64_t)(now - coarse) > hp_clock_late;
}

/* To be called with every exact reading: where the ticker does not get a
   processor in time, the program's own events keep the coarse clock fresh. */
HP_INLINE void hp_clock_noted(uint64_t now) {
  uint64_t coarse = __atomic_load_n(&hp_clock_coarse, __ATOMIC_RELAXED);
  if (HP_UNLIKELY(hp_clock_is_late(coarse, now)))
    hp_clock_step(now);
}

/* From now on the system is asked, since the counter kills. */
void hp_clock_leave_counter(void);

/* Chooses the clock and notes the start of the window; the coarse clock is to
   step every TICK_US, or, if IS_EXACT, is asked by nobody. */
void hp_clock_start_window(int tick_us, bool is_exact);

/* Ticks; t0 of a chunk begun before it is smaller. */
extern HP_HIDDEN uint64_t hp_clock_window_start;

/* TICKS as they count from the window's start; 0 before it. */
HP_INLINE uint64_t hp_clock_in_window(uint64_t ticks) {
  uint64_t start = hp_clock_window_start;
  return ticks > start ? ticks - start : 0;
}

uint64_t
hp_clock_ticks_per_second(void); /* measured from the start until now */
uint64_t hp_clock_start_unix_ns(void);
/* Processor time of all threads since the window's start; 0: not known. */
uint64_t hp_clock_cpu_ns(void);

/* Longest time the coarse clock stood still; the step that is not over at NOW
   included. */
extern HP_HIDDEN uint64_t hp_clock_longest_step;
HP_INLINE uint64_t hp_clock_longest(uint64_t now) {
  uint64_t coarse = __atomic_load_n(&hp_clock_coarse, __ATOMIC_RELAXED);
  uint64_t most = __atomic_load_n(&hp_clock_longest_step, __ATOMIC_RELAXED);
  if (HP_UNLIKELY((int64_t)(now - coarse) > (int64_t)most))
    most = now - coarse;
  return most;
}
uint64_t hp_clock_tick_max(void);

/* What struct hp_chunk_log has as step for a chunk that ends at NOW. */
HP_INLINE uint32_t hp_clock_chunk_step(uint64_t now) {
  if (HP_UNLIKELY(hp_clock_is_exact))
    return 0;
  uint64_t step = hp_clock_longest(now);
  return HP_LIKELY(step < UINT32_MAX) ? (uint32_t)step : UINT32_MAX;
}

#endif
