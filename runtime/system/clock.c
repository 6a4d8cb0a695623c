/* clock.c - chooses the clock, steps the coarse word, measures the rate.
   The processor's counter where it runs at one rate, else the kernel's clock.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "system/clock.h"
#include "system/waiting.h"

#include <cpuid.h>

_Alignas(HP_CACHE_LINE) uint64_t hp_clock_coarse;
_Alignas(HP_CACHE_LINE) bool hp_clock_is_tsc;
bool hp_clock_is_exact;

static uint64_t start_ns, start_unix_ns, start_cpu_ns;
uint64_t hp_clock_window_start, hp_clock_period, hp_clock_longest_step;
int64_t hp_clock_late;

uint64_t hp_clock_monotonic(void) { return hp_sys_monotonic_ns(); }

/* CPUID 0x80000007 EDX bit 8: the counter runs at one rate in every state. */
static bool tsc_is_invariant(void) {
  unsigned a, b, c, d;
  return __get_cpuid(0x80000007u, &a, &b, &c, &d) && (d & 1u << 8);
}

/* Never back: a reading may come late to be stored, and what was accessed after
   an event must not seem to have been before it. */
void hp_clock_step(uint64_t now) {
  uint64_t before = __atomic_load_n(&hp_clock_coarse, __ATOMIC_RELAXED);
  do
    if ((int64_t)(now - before) <= 0)
      return;
  while (!__atomic_compare_exchange_n(&hp_clock_coarse, &before, now, true,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  uint64_t stood = now - before;
  uint64_t most = __atomic_load_n(&hp_clock_longest_step, __ATOMIC_RELAXED);
  while ((int64_t)stood > (int64_t)most &&
         !__atomic_compare_exchange_n(&hp_clock_longest_step, &most, stood,
                                      true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

void hp_clock_begin_steps(void) {
  hp_clock_step(hp_clock_now());
  __atomic_store_n(&hp_clock_longest_step, hp_clock_period, __ATOMIC_RELAXED);
}

/* Ticks in a second, from two readings of both clocks a little apart; exact
   enough to choose periods by.  What is written to the dump is measured over
   the whole run. */
static uint64_t rate_until(uint64_t ticks, uint64_t ns) {
  uint64_t dt = ticks - hp_clock_window_start, dns = ns - start_ns;
  if (!hp_clock_is_tsc || dns == 0)
    return 1000000000u;
  return (uint64_t)((unsigned __int128)dt * 1000000000u / dns);
}

/* Where the clock cannot be read it stands still. */
#define MOST_TICKS (1u << 20)

void hp_clock_leave_counter(void) { hp_clock_is_tsc = false; }

void hp_clock_start_window(int tick_us, bool is_exact) {
  hp_clock_is_exact = is_exact;
  hp_clock_is_tsc = tsc_is_invariant();
  start_unix_ns = hp_sys_realtime_ns();
  start_cpu_ns = hp_sys_cpu_ns();
  start_ns = hp_sys_monotonic_ns();
  hp_clock_window_start = hp_clock_now();
  while (hp_clock_is_tsc && hp_sys_monotonic_ns() - start_ns < 20000 &&
         hp_clock_now() - hp_clock_window_start < MOST_TICKS)
    ;
  hp_clock_period = (uint64_t)((unsigned __int128)hp_clock_ticks_per_second() *
                               (unsigned)tick_us / 1000000u);
  hp_clock_late = (int64_t)(2 * hp_clock_period);
  hp_clock_longest_step = hp_clock_period;
  hp_clock_coarse = hp_clock_now();
}

uint64_t hp_clock_ticks_per_second(void) {
  return rate_until(hp_clock_now(), hp_sys_monotonic_ns());
}

uint64_t hp_clock_cpu_ns(void) {
  const uint64_t now = hp_sys_cpu_ns();
  return now > start_cpu_ns ? now - start_cpu_ns : 0;
}

uint64_t hp_clock_start_unix_ns(void) { return start_unix_ns; }

uint64_t hp_clock_tick_max(void) { return hp_clock_longest(hp_clock_now()); }
