/* access.h - what an access does to a chunk record: counts, interval, times,
   threads. One plain function per question; exact in any number of threads.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_ACCESS_H
#define HP_ACCESS_H

#include "chunk.h"

/* One access of SIZE > 0 bytes, OFFSET bytes from the start of CHUNK.  KIND is
   HP_ACCESS_READ, _WRITE or _BOTH (hook_abi.h).  A part beyond the requested
   size is not in the interval but sets OVERRUN. */
void hp_access(struct hp_chunk *chunk, uint64_t offset, uint64_t size,
               int kind);

#endif
