/* thread_end.h - how the runtime learns that a thread ends: by a key of libc's.
   The program may have that key; then it is seen when a block is needed.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_THREAD_END_H
#define HP_THREAD_END_H

#include "system/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Takes the key.  ENDS is called on each thread that is watched. */
void hp_thread_end_start(void (*ends)(void));

/* Watches the calling thread: it ends after the program's own thread-specific
   destructors.  Called once by each thread that has something to give back. */
void hp_thread_watch_end(void);

/* False: threads end unseen. */
bool hp_thread_ends_are_seen(void);

/* The program has used up all other keys: it gets this one.  False: it has it. */
bool hp_thread_give_key(void);

/* Around fork.  Who has it may allocate. */
void hp_thread_end_lock(void);
void hp_thread_end_unlock(void);

#ifdef __cplusplus
}
#endif
#endif
