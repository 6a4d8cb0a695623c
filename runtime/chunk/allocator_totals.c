/* allocator_totals.c - see allocator_totals.h: sums over all threads' blocks.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/allocator_totals.h"

#include "chunk/call_times.h"

#include "chunk/live_bytes.h"
#include "chunk/pools.h"
#include "chunk/request.h"
#include "chunk/stale_pages.h"
#include "system/clock.h"
#include "thread/thread_state.h"

static uint64_t last_fork; /* ticks, absolute; 0: none */

void hp_allocator_forked(void) {
  __atomic_store_n(&last_fork, hp_clock_now(), __ATOMIC_RELAXED);
}

void hp_allocator_after_fork_child(void) { last_fork = 0; }

void hp_allocator_start_window(void) {
  hp_requests_start_window();
  hp_call_times_start_window();
  for (struct hp_thread *t = hp_threads_all(); t; t = t->next)
    t->inherited_frees = t->allocator_ticks = t->requests = t->request_bytes =
        t->unprofiled_chunks = t->unprofiled_bytes = 0;
  hp_live_start_window();
}

void hp_allocator_totals(struct hp_dump_totals *totals) {
  for (const struct hp_thread *t = hp_threads_all(); t; t = t->next) {
    totals->inherited_frees += t->inherited_frees;
    totals->allocator_ticks += t->allocator_ticks;
    totals->requests += t->requests;
    totals->request_bytes += t->request_bytes;
    totals->unprofiled_chunks += t->unprofiled_chunks;
    totals->unprofiled_bytes =
        hp_add_saturated(totals->unprofiled_bytes, t->unprofiled_bytes);
  }
  const struct hp_live_bytes heap = hp_live_bytes();
  totals->heap_bytes = heap.live;
  totals->heap_peak = heap.peak;
  totals->heap_peak_error = heap.peak_error;
  hp_request_totals(totals);
  hp_pool_totals(totals);
  totals->stale_missing = hp_stale_pages_are_missing();
  const uint64_t forked = __atomic_load_n(&last_fork, __ATOMIC_RELAXED);
  totals->last_fork = forked ? hp_clock_in_window(forked) : 0;
  totals->threads = hp_threads_count();
}

uint64_t hp_allocator_requests(void) {
  uint64_t sum = 0;
  for (const struct hp_thread *t = hp_threads_all(); t; t = t->next)
    sum += __atomic_load_n(&t->requests, __ATOMIC_RELAXED);
  return sum;
}
