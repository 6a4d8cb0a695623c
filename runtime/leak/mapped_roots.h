/* mapped_roots.h - what the program mapped, and may keep pointers in: arenas of its own,
   stacks of coroutines, collected heaps.  Whether libc's or a raw call did it is all one.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_MAPPED_ROOTS_H
#define HP_MAPPED_ROOTS_H

#include "leak/readable.h"

/* Calls REACH for all memory without a file, or with its own copy of one, that can be read, but what is the runtime's, the
   allocator's, or a stack that libc made: of these the threads tell what is alive. */
void hp_mapped_roots_each(struct hp_readable *readable,
                          void (*reach)(uintptr_t begin, uintptr_t end));

#endif
