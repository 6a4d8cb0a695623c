/* heapprof_stale.h - which bytes of a point's large chunks were long not written, in
   runs with the option stale_pages on a kernel that tells.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HEAPPROF_STALE_H
#define HEAPPROF_STALE_H

#include <stdint.h>

/* Sums over the chunks of 128 KiB and more that live at the dump; chunks is 0 if
   nothing is known.  Bytes are in pages that are in memory. */
struct hp_stale {
  uint64_t chunks, resident;
  uint64_t stale; /* not written for the process's stale_ms or longer */
};

#endif
