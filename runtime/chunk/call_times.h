/* call_times.h - how long calls of each allocation function take, from those that
   are timed: one in HP_TIMED_ONE_IN on average, at random.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_CALL_TIMES_H
#define HP_CALL_TIMES_H

#include "heapprof_format.h"
#include "system/platform.h"

/* Threads beyond so many are told of as one, number 0. */
#define HP_THREADS_TOLD 1024u
HP_INLINE uint32_t hp_thread_told(uint32_t number) {
  return number <= HP_THREADS_TOLD ? number : 0;
}

/* Buckets are as hp_call_bucket_least() has them. */
struct hp_call_times {
  uint64_t calls, ticks; /* of those timed */
  uint64_t counts[HP_CALL_BUCKETS];
};

/* A call of FUNCTION by thread NUMBER took so long; from any thread. */
void hp_call_timed(enum hp_entry function, uint32_t number, uint64_t ticks);

const struct hp_call_times *hp_call_times(enum hp_entry function);
uint64_t hp_call_ticks_of(uint32_t told); /* of all calls of that thread */
void hp_call_times_start_window(void);

#endif
