/* stack_check.h - compares each captured stack with the system's unwinder.
   For check_stacks=1: a test of this runtime, not of the program.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_STACK_CHECK_H
#define HP_STACK_CHECK_H

#include "system/platform.h"

/* STACK, a node of the tree, was captured from CALLER. */
void hp_stack_check(uint32_t stack, const struct hp_caller *caller);

/* One line: how many were compared, how many differ. */
void hp_stack_check_print(void);

#endif
