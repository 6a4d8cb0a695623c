/* call_stack.h - call stacks, exact with and without frame pointers.
   The tables unwind a return address once; then its rule is remembered.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_CALL_STACK_H
#define HP_CALL_STACK_H

#include "origin/stack_tree.h"
#include "system/platform.h"
#include "unwind/stack_bounds.h"

/* A frame as it is when its callee has returned.
     +0   u64 pc
     +8   u64 bp
     +16  u64 sp
     +24  ptr at     where bp is now, if the callee is still as it was: the word
                     in which it saved bp; this frame's own bp, if it has the
                     same; a word that is never bp, if only the callee's rule
                     says.  Known of the frames that are kept, but the innermost
     +32  i32 saved  words from sp to where the callee saved bp, so below 0;
                     0 = it has the same; INT32_MIN = only the rule says
     +36  u32 stack  node of the tree */
struct hp_stack_frame {
  uintptr_t pc, bp, sp;
  const uintptr_t *at;
  int32_t saved;
  uint32_t stack;
};
_Static_assert(sizeof(struct hp_stack_frame) == 40, "layout");

/* In hp_last_stack.forgotten: a capture is going on, so that a handler of a signal
   leaves it alone. */
#define HP_LAST_BUSY UINT32_MAX

/* The stack that a thread captured last, outermost frame first.  The next one
   mostly begins alike.  Frames of the next are first written to the end.
   frames[0] is none: it stands for what is beyond the outermost. */
#define HP_LAST_FRAMES (1 + 2 * HP_STACK_MAX)
struct hp_last_stack {
  struct hp_stack_bounds own;       /* the thread's own stack */
  struct hp_stack_frame *innermost; /* frames: there is none to begin like */
  /* How often rules were forgotten when it was captured; 0: none was yet, or
     options say that none is kept. */
  uint32_t forgotten;
  bool truncated;
  /* Frames, if that stack is the thread's own and not truncated; else NULL. */
  const struct hp_stack_frame *whole;
  struct hp_stack_frame frames[HP_LAST_FRAMES];
};

/* The stack from CALLER up, of options.malloc_context_size frames at most, as a
   node of the tree.  LAST is the calling thread's. */
uint32_t hp_call_stack(struct hp_last_stack *last,
                       const struct hp_caller *caller);

/* Forgets all rules: after code was unloaded another may lie at its address. */
void hp_unwind_forget(void);

extern HP_HIDDEN uint32_t hp_unwind_times; /* that they were; from 1 */
HP_INLINE uint32_t hp_unwind_forgotten(void) {
  return __atomic_load_n(&hp_unwind_times, __ATOMIC_RELAXED);
}

#endif
