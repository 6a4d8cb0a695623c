/* chunk_items.h - the chunks of a point as an array, for tests that look at
   them in any order.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_CHUNK_ITEMS_H
#define HP_CHUNK_ITEMS_H

#include <stdlib.h>

#include "read/chunk_store.h"

/* Valid until it is asked again. */
static inline const struct hp_chunk_log *
hp_chunk_items(const struct hp_chunks *chunks) {
  static struct hp_chunk_log *items;
  struct hp_chunk_reader reader = hp_chunks_read(chunks);
  size_t n = 0;
  free(items);
  items = calloc(chunks->count + 1, sizeof *items);
  if (!items)
    abort();
  while (n < chunks->count && hp_chunks_next(&reader, &items[n]))
    n++;
  if (n < chunks->count || reader.at != reader.end)
    abort();
  return items;
}

#endif
