/* chunk_order.h - sorts chunks by allocation point, then (t0, thread).
   Sorts references: two words and a pointer for each chunk.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_CHUNK_ORDER_H
#define HP_CHUNK_ORDER_H

#include "heap/chunk_reference.h"

/* Stable, so that equal keys keep their order.  Uses SCRATCH[count +
   HP_CHUNK_ORDER_SPARE]; at once if they are in order already. */
#define HP_CHUNK_ORDER_SPARE ((size_t)683)
void hp_chunk_order_sort(struct hp_chunk_reference *references, size_t count,
                         struct hp_chunk_reference *scratch);

/* The same of any number of them, where they are, and not stable.  Uses
   SCRATCH[HP_CHUNK_ORDER_PART + HP_CHUNK_ORDER_SPARE]. */
#define HP_CHUNK_ORDER_PART ((size_t)2048)
void hp_chunk_order_sort_many(struct hp_chunk_reference *references,
                              size_t count, struct hp_chunk_reference *scratch);

#endif
