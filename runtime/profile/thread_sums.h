/* thread_sums.h - what each thread allocated and freed, by the events taken.
   With the collector's lock.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_THREAD_SUMS_H
#define HP_THREAD_SUMS_H

#include "chunk/call_times.h"
#include "heapprof_format.h"
#include "system/platform.h"

/* Of one thread; [0]: of all that are not told of one by one.  Where not all
   chunks are profiled, each counts as so many as it stands for.
     +0   u64 allocations, bytes   begun, and what they asked for
     +16  u64 frees                ended by it, by free or realloc
     +24  u64 foreign              of these, of chunks of other threads
     +32  i64 live, peak           bytes of its own chunks: now, and at most
     +48  u64 last                 ticks; when its last chunk began            */
struct hp_thread_sum {
  uint64_t allocations, bytes;
  uint64_t frees, foreign;
  int64_t live, peak;
  uint64_t last;
};
_Static_assert(sizeof(struct hp_thread_sum) == 56, "layout");

/* One more chunk of POINT was temporary: its thread freed it before that
   allocated another. */
void hp_thread_sums_temporary(uint32_t point);
/* How many were; UINT64_MAX: that is not known, for want of memory. */
uint64_t hp_thread_temporary(uint32_t point);

/* N chunks of POINT, not its first one, began when no other of it was live. */
void hp_thread_sums_generations(uint32_t point, uint64_t n);
/* How many were noted; UINT64_MAX as above. */
uint64_t hp_thread_generations(uint32_t point);

extern HP_HIDDEN struct hp_thread_sum hp_thread_sums[HP_THREADS_TOLD + 1];
extern HP_HIDDEN uint64_t hp_thread_deletes,
    hp_thread_reallocs; /* ends by operator delete, by realloc */

/* T0 counts from the window's start, as that of the chunk below.  Objects of pools
   are counted, but have no memory of their own. */
HP_INLINE void hp_thread_sums_begin(uint32_t thread, uint64_t t0, uint64_t size,
                                    uint32_t weight, bool is_pooled) {
  struct hp_thread_sum *sum = &hp_thread_sums[hp_thread_told(thread)];
  sum->allocations += weight;
  sum->bytes += size * weight;
  sum->last = t0;
  if (HP_UNLIKELY(is_pooled))
    return;
  sum->live += (int64_t)(size * weight);
  if (sum->live > sum->peak)
    sum->peak = sum->live;
}

/* Takes HP_ENDED_BY_DELETE out of the flags of CHUNK. */
HP_INLINE void hp_thread_sums_end(struct hp_chunk_log *chunk) {
  struct hp_thread_sum *sum = &hp_thread_sums[hp_thread_told(chunk->thread)];
  if (HP_LIKELY(!(chunk->flags & HP_CHUNK_POOLED)))
    sum->live -= (int64_t)(chunk->size * chunk->weight);
  if (HP_UNLIKELY(chunk->free_thread != chunk->thread)) {
    sum = &hp_thread_sums[hp_thread_told(chunk->free_thread)];
    sum->foreign += chunk->weight;
  } else if (sum->last == chunk->t0 && !(chunk->flags & HP_CHUNK_REALLOC)) {
    hp_thread_sums_temporary(chunk->point);
  }
  sum->frees += chunk->weight;
  if (chunk->flags & HP_ENDED_BY_DELETE) {
    chunk->flags &= ~HP_ENDED_BY_DELETE;
    hp_thread_deletes += chunk->weight;
  } else if (chunk->flags & HP_CHUNK_REALLOC) {
    hp_thread_reallocs += chunk->weight;
  }
}

void hp_thread_sums_start(void);

#endif
