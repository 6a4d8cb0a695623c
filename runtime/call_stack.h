/* call_stack.h - call stacks, exact with and without frame pointers.
   The tables unwind a return address once; then its rule is remembered.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_CALL_STACK_H
#define HP_CALL_STACK_H

#include "platform.h"

/* Stores up to MAX return addresses, leaf first: PC[0] is CALLER's.  Returns
   how many; *TRUNCATED if there were more. */
size_t hp_unwind(const struct hp_caller *caller, uint64_t *pc, size_t max,
                 bool *truncated);

/* Forgets all rules: after code was unloaded another may lie at its address. */
void hp_unwind_forget(void);

#endif
