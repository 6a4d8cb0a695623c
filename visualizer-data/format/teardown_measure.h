/* teardown_measure.h - what is told of chunks that were watched until they were
   freed: sums by point, and who read them in what took them down.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HEAPPROF_TEARDOWN_MEASURE_H
#define HEAPPROF_TEARDOWN_MEASURE_H

#include <stdint.h>

/* In the order of the field "teardown": X(name).  Behind them come the return
   addresses of who read chunks while they were taken down. */
#define HP_TEARDOWN_SUMS(X)                                                    \
  X(watched)  /* chunks; those live at the end and those let go, too */        \
  X(freed)    /* of these, by free */                                          \
  X(torn)     /* of these, whose last accesses may be of their teardown */     \
  X(late)     /* freed late, if those do not count */                          \
  X(unread)   /* written, but read by those only */                            \
  X(useful)   /* 2^-32; sum of useful life of those freed */                   \
  X(settled)  /* 2^-32; the same, if the teardown does not count */            \
  X(overflow) /* chunks of whose readers not all are told */
#define HP_TEARDOWN_READERS 8u
#define HP_TEARDOWN_UNIT ((uint64_t)1 << 32)

struct hp_teardown_sum {
#define HP_TEARDOWN_MEMBER(name) uint64_t name;
  HP_TEARDOWN_SUMS(HP_TEARDOWN_MEMBER)
#undef HP_TEARDOWN_MEMBER
  uint64_t readers[HP_TEARDOWN_READERS]; /* 0: no more */
};
#define HP_TEARDOWN_COUNT (8u + HP_TEARDOWN_READERS)
_Static_assert(sizeof(struct hp_teardown_sum) ==
                   HP_TEARDOWN_COUNT * sizeof(uint64_t),
               "nothing but numbers");

#endif
