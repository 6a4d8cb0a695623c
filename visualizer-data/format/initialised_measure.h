/* initialised_measure.h - what is told of chunks that were looked at from their first
   access on: sums by point, and who read them in what took them down.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HEAPPROF_INITIALISED_MEASURE_H
#define HEAPPROF_INITIALISED_MEASURE_H

#include <stdint.h>

/* In the order of the field "initialised": X(name).  Behind them come the return
   addresses of who read chunks while they were taken down. */
#define HP_INITIALISED_SUMS(X)                                                 \
  X(chunks)   /* looked at until they ended, or live */                        \
  X(lost)     /* others, let go before */                                      \
  X(filled)   /* of chunks: some of what was initialised was written later */  \
  X(bytes)    /* of chunks, requested */                                       \
  X(only)     /* of these: initialised, and neither read nor written later */  \
  X(settled)  /* the same, if their teardown does not count */                 \
  X(overflow) /* chunks of whose readers not all are told */
#define HP_INITIALISED_READERS 8u

struct hp_initialised_sum {
#define HP_INITIALISED_MEMBER(name) uint64_t name;
  HP_INITIALISED_SUMS(HP_INITIALISED_MEMBER)
#undef HP_INITIALISED_MEMBER
  uint64_t readers[HP_INITIALISED_READERS]; /* 0: no more */
};
#define HP_INITIALISED_COUNT (7u + HP_INITIALISED_READERS)
_Static_assert(sizeof(struct hp_initialised_sum) ==
                   HP_INITIALISED_COUNT * sizeof(uint64_t),
               "nothing but numbers");

#endif
