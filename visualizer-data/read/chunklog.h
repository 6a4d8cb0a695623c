/* chunklog.h - decodes the columns of CHUNKS blocks.
   What a block has of a point goes to the chunks of that point.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_CHUNKLOG_H
#define HP_CHUNKLOG_H

#include "read/block.h"
#include "read/chunk_store.h"

/* Where the chunks of POINT go; NULL if there is no such point. */
typedef struct hp_chunks *hp_chunks_of(void *context, uint64_t point);

/* Appends every chunk of BLOCK; FILE is for messages.  When it fails, some of
   the block's chunks may have been appended. */
hp_status hp_chunklog_decode(const struct hp_block *block, const char *file,
                             hp_chunks_of *chunks_of, void *context,
                             struct hp_error *error);

#endif
