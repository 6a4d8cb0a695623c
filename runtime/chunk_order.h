/* chunk_order.h - the log in the dump's order: by point, (t0, thread).
   Sorts references, not records; at most four words for each chunk.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_CHUNK_ORDER_H
#define HP_CHUNK_ORDER_H

#include "dump.h"
#include "encode.h"
#include "heapprof_format.h"
#include "platform.h"

/* A chunk where it lies in the log; its t0 beside it, since sorting would else
   miss the cache at every comparison. */
struct hp_chunk_reference {
  uint64_t t0; /* ticks, absolute */
  const struct hp_chunk_log *chunk;
};

struct hp_chunk_order {
  struct hp_chunk_reference *references; /* [count] */
  uint64_t
      *starts; /* [points + 2]; those of point p: [starts[p], starts[p+1]) */
  size_t count;
  uint32_t points;       /* ids are 0 .. points; 0 = point not kept */
  uint64_t lost_live;    /* live chunks there was no memory for */
  struct hp_bytes spans; /* private: where chunks lie */
  size_t references_size, starts_size; /* bytes mapped */
};

/* Takes down the log and the chunks still live at END.  ORDER is all zero.
   False if memory does not suffice. */
bool hp_chunk_order_make(struct hp_chunk_order *order, uint64_t end,
                         hp_live_iterator *each_live);
void hp_chunk_order_free(struct hp_chunk_order *order);

#endif
