/* chunk_order.h - sorts chunks by allocation point, then (t0, thread).
   Sorts references: two words and a pointer for each chunk.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_CHUNK_ORDER_H
#define HP_CHUNK_ORDER_H

#include "system/platform.h"

/* A chunk that lies elsewhere, and what it is sorted by: comparing two of them
   does not touch what they refer to.
     +0   u64 t0       ticks
     +8   u32 point
     +12  u32 thread
     +16  ptr chunk    whatever the caller knows it by                       */
struct hp_chunk_reference {
  uint64_t t0;
  uint32_t point;
  uint32_t thread;
  const void *chunk;
};
_Static_assert(sizeof(struct hp_chunk_reference) == 24, "layout");

/* Stable, so that equal keys keep their order.  Uses SCRATCH[count +
   HP_CHUNK_ORDER_SPARE]; at once if they are in order already. */
#define HP_CHUNK_ORDER_SPARE ((size_t)683)
void hp_chunk_order_sort(struct hp_chunk_reference *references, size_t count,
                         struct hp_chunk_reference *scratch);

#endif
