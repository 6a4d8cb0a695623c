/* chunklog.h - decodes the columns of CHUNKS blocks into struct hp_chunk_log.
   Per allocation point, in the order the metrics need: (t0, thread).
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_CHUNKLOG_H
#define HP_CHUNKLOG_H

#include "block.h"
#include "heapprof_format.h"

/* The chunks of one allocation point; {0} is empty. */
struct hp_chunks {
  struct hp_chunk_log *items;
  size_t count, capacity;
};

/* Where the chunks of POINT go; NULL if there is no such point. */
typedef struct hp_chunks *hp_chunks_of(void *context, uint64_t point);

/* Appends every chunk of BLOCK; FILE is for messages.  When it fails, some of
   the block's chunks may have been appended. */
hp_status hp_chunklog_decode(const struct hp_block *block, const char *file,
                             hp_chunks_of *chunks_of, void *context,
                             struct hp_error *error);

/* Sorts by (t0, thread); equal ones stay in the order they were logged. */
hp_status hp_chunks_sort(struct hp_chunks *chunks, struct hp_error *error);

#endif
