/* lifecycle.h - start-up, fork and exit: the one place that calls every part.
   hp_init() runs before any constructor, or at the first hook if that is first.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_LIFECYCLE_H
#define HP_LIFECYCLE_H

#include "platform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* 0 not begun, 1 running (allocations come from the interceptors' own small
   allocator), 2 done. */
extern int hp_init_state;
void hp_init(void);

/* Ends the window and writes the dump; a second call does nothing.  REASON as
   in the end record; STATUS < 0: none.  Does nothing in a process that shares
   or copied this one's memory without fork's handlers, such as vfork's child.
 */
void hp_finish(const char *reason, int status);

/* What quick_exit was called with, for the handler that it runs. */
extern int hp_quick_exit_status;

/* dlopen was called since the load map was last brought up to date. */
extern bool hp_modules_stale;

/* Brings the load map up to date; keeps errno.  No signal handler runs
   meanwhile, since it might end the process, which needs the map's lock. */
void hp_modules_changed(void);

/* The calling thread will call hp_thread_end() when it ends, after the
   program's own thread-specific destructors.  Called once by each thread that
   has something to give back. */
void hp_thread_watch_end(void);

#ifdef __cplusplus
}
#endif
#endif
