/* unreserve.h - what is reserved and not in use goes back to the system.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_UNRESERVE_H
#define HP_UNRESERVE_H

#include "system/platform.h"

/* The program is about to limit its address space: from now on the heap's parts
   and arenas are mapped when they are needed.  No thread is in the allocator,
   the caller has the locks of all classes and that of arenas.  Without /proc
   nothing is done. */
void hp_heap_unreserve(void);

#endif
