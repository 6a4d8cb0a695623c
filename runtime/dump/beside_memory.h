/* beside_memory.h - which resident memory is that of the program's own allocator (beside_table.h): ranges that hold live chunks.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_BESIDE_MEMORY_H
#define HP_BESIDE_MEMORY_H

#include "system/platform.h"

/* Of those ranges: live, requested bytes, but no more of a range than are resident there; and all else. */
struct hp_beside_memory {
  uint64_t live, retained;
};

/* A look begins; then ranges of memory without a file in ascending order; at the end what they hold.  Does nothing without
   allocator=program. */
void hp_beside_memory_start(void);
void hp_beside_memory_add(uintptr_t begin, uintptr_t end, uint64_t resident);
struct hp_beside_memory hp_beside_memory_end(void);

#endif
