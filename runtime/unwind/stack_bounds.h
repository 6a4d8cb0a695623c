/* stack_bounds.h - which words of a stack may be read.
   A thread's own stack is known; any other is tried page by page, each time.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_STACK_BOUNDS_H
#define HP_STACK_BOUNDS_H

#include "system/platform.h"

/* What is known of the calling thread's own stack, the one that it began with:
   [low, top) was readable and stays so while the thread lives.  LOW follows the
   stack pointer down. */
struct hp_stack_bounds {
  uintptr_t low, top; /* top 0: nothing is known yet */
  uint32_t refused;   /* times that the map of the process was read in vain */
};

/* The end of what may be read from SP up: the own stack's, or of SP's page,
   which is in use.  SP is the caller's stack pointer. */
uintptr_t hp_stack_find(struct hp_stack_bounds *own, uintptr_t sp);
HP_INLINE bool hp_stack_is_own(const struct hp_stack_bounds *own,
                               uintptr_t sp) {
  return sp - own->low < own->top - own->low;
}

/* TOP, or so much more that WANTED is not beyond it, if that can be read and is
   not far.  TOP is what hp_stack_find() or this gave in the same capture. */
uintptr_t hp_stack_reach(const struct hp_stack_bounds *own, uintptr_t top,
                         uintptr_t wanted);

/* The word at ADDRESS, wherever it is; false if it cannot be read. */
bool hp_stack_word(const struct hp_stack_bounds *own, uintptr_t address,
                   uintptr_t *word);

#endif
