/* failure_memory.h - lines that processes of a run tell heapprof run, in memory that all of them share: to write there
   takes no file, no right and no system call, which a process may have given up.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_FAILURE_MEMORY_H
#define HP_FAILURE_MEMORY_H

#include <stdint.h>

/* Who writes adds the length of its line first, and writes where the bytes before
   end.  One that does not fit, or comes when nobody reads any more, is not written. */
struct hp_failure_memory {
  uint64_t used; /* bytes; from HP_FAILURES_READ on nobody reads any more */
  char text[32760];
};

#define HP_FAILURES_READ ((uint64_t)1 << 62)

#endif
