/* page_measure.h - what is told of large chunks by the pages that have memory.
   The runtime adds up chunk by chunk, the library point by point.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HEAPPROF_PAGE_MEASURE_H
#define HEAPPROF_PAGE_MEASURE_H

#include <stdint.h>

/* Of smaller chunks only those that are chosen to have pages of their own. */
#define HP_PAGE_CHUNK_MIN ((uint64_t)128 << 10)

/* In the order of the fields "pages" and "sampled_pages": X(name), each a sum over chunks. */
#define HP_PAGE_SUMS(X)                                                        \
  X(chunks)         /* whose pages are known; of these: */                     \
  X(bytes)          /* requested */                                            \
  X(touched)        /* bytes in pages that were given memory */                \
  X(resident)       /* of chunks live at the end, bytes in memory then */      \
  X(unused_chunks)  /* no page was touched */                                  \
  X(unused_bytes)   /* requested by them */                                    \
  X(sparse_chunks)  /* others, of which less than half was touched */          \
  X(sparse_bytes)   /* requested by them */                                    \
  X(sparse_touched) /* bytes of them in pages that were given memory */

struct hp_page_sum {
#define HP_PAGE_MEMBER(name) uint64_t name;
  HP_PAGE_SUMS(HP_PAGE_MEMBER)
#undef HP_PAGE_MEMBER
};
#define HP_PAGE_SUM_COUNT 9u
_Static_assert(sizeof(struct hp_page_sum) ==
                   HP_PAGE_SUM_COUNT * sizeof(uint64_t),
               "nine numbers");

#endif
