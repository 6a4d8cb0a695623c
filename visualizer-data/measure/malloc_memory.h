/* malloc_memory.h - what glibc's malloc takes for chunks beside what was asked for.
   A rule of arithmetic, not a measurement; docs/metrics.md has it in words.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_MALLOC_MEMORY_H
#define HP_MALLOC_MEMORY_H

#include "heapprof.h"

/* Less than this no chunk takes. */
#define HP_MALLOC_LEAST 32u

/* Of a chunk of SIZE bytes. */
uint64_t hp_malloc_size(uint64_t size);

/* Of CHUNKS of BYTES together; SIZE and SIZES are those of all chunks of their point,
   which these are taken to be like. */
uint64_t hp_malloc_memory(uint64_t chunks, uint64_t bytes,
                          const struct hp_min_mean_max *size,
                          const struct hp_histogram *sizes);

#endif
