/* free_stack.h - the call stack of a free: of every chunk, or of some.
   Taken where the chunk ends; whoever frees is slow enough without.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_FREE_STACK_H
#define HP_FREE_STACK_H

#include "heap/bare.h"
#include "heap/chunk.h"
#include "origin/stack_tree.h"
#include "thread/thread_state.h"

/* Of a chunk with one of these flags the stack may be taken. */
extern HP_HIDDEN uint64_t hp_free_stacks_of;
/* These, and HP_RECORD_GROWN: all that the usual way through free leaves to others. */
extern HP_HIDDEN uint64_t hp_free_more_of;

void hp_free_stacks_start(void); /* of a window, as options say */
void hp_free_stacks_end(void);   /* none are taken any more in this window */

/* The node of the stack, or HP_STACK_NONE: of a point that had no more chunks
   yet than HP_EXACT_FIRST (HP_UNHOOKED_FIRST) each is taken; later one in 8 of
   those that are or were exact.  CHUNK, of COLD, is watched no longer (watch.h); with
   contents=1 what it holds is looked at, unless it was.  Objects of pools that are
   in it end, so that its own end is at last_event. */
typedef uint32_t hp_free_stack_taker(struct hp_thread *self,
                                     const struct hp_chunk *chunk,
                                     const struct hp_cold *cold,
                                     const struct hp_caller *caller,
                                     bool is_looked_at);
extern HP_HIDDEN hp_free_stack_taker *hp_free_stack_of_some;
/* The same of a chunk of a process without hooks, which has one of the flags. */
uint32_t hp_free_stack_bare(struct hp_thread *self,
                            const struct hp_bare *record,
                            const struct hp_caller *caller);

HP_INLINE uint32_t hp_free_stack(struct hp_thread *self,
                                 const struct hp_chunk *chunk,
                                 const struct hp_cold *cold,
                                 const struct hp_caller *caller,
                                 bool is_looked_at) {
  return HP_UNLIKELY(cold->word & hp_free_stacks_of)
             ? hp_free_stack_of_some(self, chunk, cold, caller, is_looked_at)
             : HP_STACK_NONE;
}

#endif
