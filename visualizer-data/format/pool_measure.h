/* pool_measure.h - what is told of chunks that the program cut up into objects:
   sums by the point of the chunk, of which each object has a point of its own.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HEAPPROF_POOL_MEASURE_H
#define HEAPPROF_POOL_MEASURE_H

#include <stdint.h>

/* In the order of the field "blocks": X(name).  A chunk is idle if it had no live
   object for more than half of its life, up to its end or that of the window. */
#define HP_BLOCK_SUMS(X)                                                       \
  X(chunks) /* that were cut up; of these: */                                  \
  X(bytes)                                                                     \
  X(objects)                                                                   \
  X(object_bytes)                                                              \
  X(most_bytes) /* of its objects, live at once: the sum over the chunks */    \
  X(mean_bytes) /* the same, live on average over the chunk's life */          \
  X(idle_chunks)                                                               \
  X(idle_bytes)

struct hp_block_sum {
#define HP_BLOCK_MEMBER(name) uint64_t name;
  HP_BLOCK_SUMS(HP_BLOCK_MEMBER)
#undef HP_BLOCK_MEMBER
};
#define HP_BLOCK_SUM_COUNT 8u
_Static_assert(sizeof(struct hp_block_sum) ==
                   HP_BLOCK_SUM_COUNT * sizeof(uint64_t),
               "as many numbers");

#endif
