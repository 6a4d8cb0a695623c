/* thread.h - what the runtime keeps for each thread: caches, events, counters.
   Blocks are never unmapped; a new thread uses that of one that ended.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_THREAD_H
#define HP_THREAD_H

#include "system/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Called on the thread itself when it ends, after the program's destructors of
   thread-local variables as far as that can be had: gives caches back. */
void hp_thread_end(void);

size_t hp_threads_memory(void); /* bytes of all blocks */

/* Called by each thread about itself; the table is filled in once, at start. */
struct hp_thread;
struct hp_thread_notices {
  /* SELF is new to the thread of NUMBER; nothing may be allocated here. */
  void (*made)(struct hp_thread *self, uint32_t number);
  void (*begins)(void); /* it has its block */
  void (*ends)(void);   /* before it gives that back */
};
extern struct hp_thread_notices hp_thread_notices;

void hp_threads_lock(void); /* around fork */
void hp_threads_unlock(void);
void hp_threads_after_fork_child(void); /* numbers threads anew */

#ifdef __cplusplus
}
#endif
#endif
