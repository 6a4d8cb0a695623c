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

/* Around fork: takes every lock of the runtime, those of points, events
   and modules included, in one order; releases them in the parent; in the child
   also forgets what other threads counted, and numbers threads anew. */
void hp_threads_before_fork(void);
void hp_threads_after_fork(void);
void hp_threads_after_fork_child(void);

/* Before the program gets a handler of a signal: from now on no handler finds
   its thread with a lock that an allocation may need. */
void hp_threads_expect_handlers(void);

#ifdef __cplusplus
}
#endif
#endif
