/* stale_measure.h - what is told of large chunks that live at a dump by when their
   pages were written last: with the option stale_pages.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HEAPPROF_STALE_MEASURE_H
#define HEAPPROF_STALE_MEASURE_H

#include <stdint.h>

/* In the order of the field "stale": X(name), each a sum over chunks. */
#define HP_STALE_SUMS(X)                                                       \
  X(chunks)   /* whose pages are known; of these: */                           \
  X(resident) /* bytes in memory */                                            \
  X(stale)    /* of these, not written for END's stale_ms or longer */

struct hp_stale_sum {
#define HP_STALE_MEMBER(name) uint64_t name;
  HP_STALE_SUMS(HP_STALE_MEMBER)
#undef HP_STALE_MEMBER
};
#define HP_STALE_SUM_COUNT 3u
_Static_assert(sizeof(struct hp_stale_sum) ==
                   HP_STALE_SUM_COUNT * sizeof(uint64_t),
               "three numbers");

#endif
