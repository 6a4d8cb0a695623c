/* stack_walk.h - walks a stack by unwind tables alone, with all registers.
   Reads nothing that cannot be read; what it cannot go beyond is a cut.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_STACK_WALK_H
#define HP_STACK_WALK_H

#include "system/platform.h"
#include "unwind/stack_bounds.h"

/* Stores the stack from CALLER up, MAX return addresses at most; returns how
   many.  *CUT: there are more, or nobody knows. */
size_t hp_stack_walk(const struct hp_caller *caller,
                     const struct hp_stack_bounds *own, uint64_t *pc,
                     size_t max, bool *cut);

#endif
