/* accessed_bytes.h - which bytes of a chunk were accessed, by all threads.
   For who describes a chunk, not for who accesses it.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_ACCESSED_BYTES_H
#define HP_ACCESSED_BYTES_H

#include "heap/chunk.h"

/* The bytes [*LO, *HI) of a live chunk that any thread has accessed, from its
   start; both 0 if none. */
void hp_accessed_bytes(const struct hp_chunk *chunk, uint64_t *lo,
                       uint64_t *hi);

#endif
