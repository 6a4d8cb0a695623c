/* runtime_threads.h - the runtime's own threads: what they look at, and when
   there must be none of them.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_RUNTIME_THREADS_H
#define HP_RUNTIME_THREADS_H

#include "system/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The program has a malloc of its own and no hooks, so that perhaps nothing of it is seen:
   there are no threads but for dumps on demand, also in forked children, until they are needed.
   Before hp_runtime_threads_begin(). */
void hp_runtime_threads_spare(void);
bool hp_runtime_threads_are_spared(void);

/* There is something to see.  By a thread of the program without a lock of ours.  False: not now, ask
   again: somebody ends or dumps the profile, or the process only has a copy of another's memory. */
bool hp_runtime_threads_need(void);

/* Starts the ticker if anything needs it: at start, and in a forked child.  The
   thread that writes is started when there is something to write. */
void hp_runtime_threads_begin(void);
void hp_runtime_threads_after_fork_child(void);

/* Whether there are hooks has changed, by which the ticker is quick or slow. */
void hp_runtime_threads_pace(void);

/* The runtime is ready, so the ticker may look around. */
void hp_runtime_threads_watch(void);

/* Around a system call that is refused to a process of several threads. */
void hp_runtime_threads_end(void);
void hp_runtime_threads_start(void);

#ifdef __cplusplus
}
#endif
#endif
