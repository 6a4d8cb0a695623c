/* chunk_columns.h - the payload of a CHUNKS block, column after column.
   Values of one kind side by side deflate better and faster than rows.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_CHUNK_COLUMNS_H
#define HP_CHUNK_COLUMNS_H

#include "encode/encode.h"
#include "heapprof_format.h"
#include "system/platform.h"

/* Chunks of one point that each stand for WEIGHT chunks of it. */
struct hp_chunk_run {
  uint32_t point;
  uint32_t weight; /* not 0 */
  size_t count;
};

/* Bytes that a chunk and a run take at most. */
#define HP_CHUNK_ENCODED_MAX ((size_t)HP_COLUMN_COUNT * HP_VARINT_MAX)
#define HP_RUN_ENCODED_MAX ((size_t)3 * HP_VARINT_MAX)

/* Appends a whole payload.  CHUNKS lie in the order of RUNS, each run ascending
   by (t0, thread), all times in ticks since the window's start. */
void hp_put_chunk_columns(struct hp_bytes *to, const struct hp_chunk_run *runs,
                          size_t run_count, const struct hp_chunk_log *chunks);

#endif
