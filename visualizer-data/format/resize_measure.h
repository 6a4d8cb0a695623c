/* resize_measure.h - what is told of chunks that realloc resized: sums by the
   point of the call.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HEAPPROF_RESIZE_MEASURE_H
#define HEAPPROF_RESIZE_MEASURE_H

#include <stdint.h>

/* In the order of the field "resizes": X(name).  What failed, and of a NULL
   pointer, is none. */
#define HP_RESIZE_SUMS(X)                                                      \
  X(calls)                                                                     \
  X(in_place)     /* of these; the others moved */                             \
  X(moved_bytes)  /* copied by those */                                        \
  X(grown)        /* calls that made a chunk larger */                         \
  X(grown_bytes)  /* by so much in all */                                      \
  X(shrunk)       /* calls that made one smaller */                            \
  X(shrunk_bytes) /* by so much in all */                                      \
  X(jump_from)    /* the largest growth of one call: from this size */         \
  X(jump_to)      /* to this one; both 0: none grew */

struct hp_resize_sum {
#define HP_RESIZE_MEMBER(name) uint64_t name;
  HP_RESIZE_SUMS(HP_RESIZE_MEMBER)
#undef HP_RESIZE_MEMBER
};
#define HP_RESIZE_SUM_COUNT 9u
_Static_assert(sizeof(struct hp_resize_sum) ==
                   HP_RESIZE_SUM_COUNT * sizeof(uint64_t),
               "nine numbers");

#endif
