/* early_allocator.h - allocations before the heap is ready, such as dlsym's.
   They are no chunks of the profile.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_EARLY_ALLOCATOR_H
#define HP_EARLY_ALLOCATOR_H

#include "system/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

void *hp_early_allocate(size_t size,
                        size_t alignment); /* zeroed; NULL: no memory */
bool hp_early_owns(const void *p);
size_t hp_early_size(const void *p);
void hp_early_free(void *p);

#ifdef __cplusplus
}
#endif
#endif
