/* live_chunks.h - the chunks that live at a moment, while others begin and end.
   Called at checkpoints, when the window ends, and in a forked child.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_LIVE_CHUNKS_H
#define HP_LIVE_CHUNKS_H

#include "heap/chunk_reference.h"
#include "heapprof_format.h"

/* Calls EACH for every chunk begun up to END that is live now; other threads
   may begin and end chunks meanwhile. */
void hp_allocator_each_live(uint64_t end,
                            void (*each)(const struct hp_chunk_reference *live,
                                         void *arg),
                            void *arg);

/* Slots of one size, side by side. */
struct hp_heap_region {
  uint64_t begin;  /* address */
  uint64_t used;   /* bytes of the slots that were ever used */
  uint64_t slot;   /* bytes */
  uint64_t chunks; /* in them now, profiled or not */
  bool is_apart;   /* a slot has memory only while a chunk is in it */
};
/* Calls EACH for every one that chunks were in, by address. */
void hp_allocator_each_region(void (*each)(const struct hp_heap_region *region,
                                           void *arg),
                              void *arg);

/* Makes *CHUNK one of those, but for LIVE and what only an end says; its ticks
   absolute.  False: it ended meanwhile. */
bool hp_allocator_describe(const struct hp_chunk_reference *live,
                           struct hp_chunk_log *chunk);

#endif
