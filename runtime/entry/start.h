/* lifecycle.h - start-up, fork and exit: the one place that calls every part.
   hp_init() runs before any constructor, or at the first hook if that is first.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_LIFECYCLE_H
#define HP_LIFECYCLE_H

#include "system/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* 0 not begun, 1 running (allocations come from the interceptors' own small
   allocator), 2 done. */
extern HP_HIDDEN int hp_init_state;
void hp_init(void);

/* Ends the window and writes the dump; a second call does nothing.  REASON as
   in the end record; STATUS < 0: none.  Does nothing in a process that shares
   or copied this one's memory without fork's handlers, such as vfork's child.
 */
void hp_finish(const char *reason, int status);

/* The same when a signal kills the process.  Keeps the profile, so that no
   other thread ends the process otherwise. */
void hp_finish_dying(int number);
bool hp_profile_is_ours(void); /* this process's, not its parent's */

/* Writes a dump of the window until now; the window goes on.  False: nothing
   was written, because the process has none that is wanted (as above), or for
   a reason that was said.  REASON as in the end record. */
bool hp_profile_dump(const char *reason);
/* The same for the runtime's own thread.  False: not now; ask again. */
bool hp_profile_dump_by_runtime(const char *reason);

/* Chunks that begin from now on are profiled, or are not. */
void hp_profile_record(bool on);

/* A new window begins, and what was profiled before is forgotten. */
void hp_profile_reset(void);

/* The program is about to limit its memory: its address space, or its data; and
   it did. */
void hp_profile_before_limit(bool of_space);
void hp_profile_after_limit(void);

/* Around a system call that is refused to a process of several threads.  The
   one that writes is started when there is something to write. */
void hp_threads_of_runtime_end(void);
void hp_threads_of_runtime_start(void);

/* What quick_exit was called with, for the handler that it runs. */
extern int hp_quick_exit_status;

/* dlopen was called since the load map was last brought up to date. */
extern bool hp_modules_stale;

/* Brings the load map up to date; keeps errno.  No signal handler runs
   meanwhile, since it might end the process, which needs the map's lock. */
void hp_modules_changed(void);

#ifdef __cplusplus
}
#endif
#endif
