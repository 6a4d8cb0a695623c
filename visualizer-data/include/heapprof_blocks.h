/* heapprof_blocks.h - chunks of a point that the program cut up into objects of its
   own pools, which are points of their own.  docs/pools.md says what each number is.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HEAPPROF_BLOCKS_H
#define HEAPPROF_BLOCKS_H

#include <stdint.h>

/* Chunks is 0 if none was cut up. */
struct hp_blocks {
  uint64_t chunks, bytes;         /* that were; of these: */
  uint64_t objects, object_bytes; /* that they were cut into */
  uint64_t most_bytes; /* most of these live at once, the sum over the chunks */
  uint64_t mean_bytes; /* of these live on average, the same */
  uint64_t idle_chunks, idle_bytes; /* without a live object for more than the
                                       last half of their life */
};

/* Its columns: X(column, member). */
#define HP_BLOCK_COLUMNS(X)                                                    \
  X(block_chunks, chunks)                                                      \
  X(block_bytes, bytes)                                                        \
  X(block_objects, objects)                                                    \
  X(block_object_bytes, object_bytes)                                          \
  X(block_most_bytes, most_bytes)                                              \
  X(block_mean_bytes, mean_bytes)                                              \
  X(block_idle_chunks, idle_chunks)                                            \
  X(block_idle_bytes, idle_bytes)

#endif
