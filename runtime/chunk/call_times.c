/* call_times.c - see call_times.h: a histogram a function, added to by who was
   timed.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/call_times.h"

#include "system/arena.h"

static struct hp_call_times functions[HP_ENTRY_COUNT];
static uint64_t threads[HP_THREADS_TOLD + 1]; /* ticks */

/* 0 to 7, then eight from each power of two to the next. */
static unsigned bucket_of(uint64_t ticks) {
  if (ticks < 8)
    return (unsigned)ticks;
  const unsigned digits = 63u - (unsigned)__builtin_clzll(ticks);
  const unsigned bucket =
      (digits - 2) * 8 + (unsigned)(ticks >> (digits - 3) & 7);
  return bucket < HP_CALL_BUCKETS ? bucket : HP_CALL_BUCKETS - 1;
}

static void add(uint64_t *to, uint64_t value) {
  __atomic_fetch_add(to, value, __ATOMIC_RELAXED);
}

HP_COLD void hp_call_timed(enum hp_entry function, uint32_t number,
                           uint64_t ticks) {
  struct hp_call_times *of = &functions[function];
  add(&of->calls, 1);
  add(&of->ticks, ticks);
  add(&of->counts[bucket_of(ticks)], 1);
  add(&threads[hp_thread_told(number)], ticks * HP_TIMED_ONE_IN);
}

const struct hp_call_times *hp_call_times(enum hp_entry function) {
  return &functions[function];
}

uint64_t hp_call_ticks_of(uint32_t told) {
  return __atomic_load_n(&threads[told], __ATOMIC_RELAXED);
}

void hp_call_times_start_window(void) {
  hp_clear(functions, sizeof functions);
  hp_clear(threads, sizeof threads);
}
