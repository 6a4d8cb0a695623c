/* stack_mapping.h - where the stack of an address begins and ends.
   To ask costs: the answers are kept by who asks (stack_bounds.h).
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_STACK_MAPPING_H
#define HP_STACK_MAPPING_H

#include "system/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The mapping of the stack that SP is in: [*bottom, *top); empty if unknown. */
void hp_sys_stack_bounds(uintptr_t sp, uintptr_t *bottom, uintptr_t *top);
/* An address beyond all frames of the stack that the calling thread began with,
   in its mapping; 0 if unknown. */
uintptr_t hp_sys_stack_top(void);

#ifdef __cplusplus
}
#endif
#endif
