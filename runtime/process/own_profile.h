/* own_profile.h - the profile of this process: who may end it, dump it, begin
   it anew; one thread at a time, while all others are out of the allocator.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_OWN_PROFILE_H
#define HP_OWN_PROFILE_H

#include "system/platform.h"
#include "system/stopped_world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Once, at the end of start-up.  WANTED: dumps are written.  BYPASSED: the
   program has a malloc of its own, so that perhaps nothing is seen.  False: no
   memory. */
bool hp_profile_start(bool wanted, bool bypassed);

bool hp_profile_is_ours(void);   /* this process's, not its parent's */
bool hp_profile_is_wanted(void); /* and there are dumps of it */

/* It did not end, and will be written. */
bool hp_profile_will_be_written(void);

/* Ends the window and writes the dump; a second call does nothing.  REASON as
   in the end record; STATUS < 0: none.  Does nothing in a process that shares
   or copied this one's memory without fork's handlers, such as vfork's child.
 */
void hp_finish(const char *reason, int status);

/* The same for an exit; of STATUS the kernel keeps the last byte, as do we. */
void hp_finish_exit(int status);

/* The same for an exec that will not fail. */
void hp_finish_exec(void);

/* The same when a signal kills the process.  Keeps the profile, so that no
   other thread ends the process otherwise. */
void hp_finish_dying(int number);

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

/* The program is about to get another root directory, where nothing of the dump
   shall be, or another user, who may make nothing where dumps are. */
void hp_profile_begin_dump(void);

/* This process was copied without fork's handlers, and has its own memory. */
void hp_profile_note_copy(void);

/* The program is about to limit its memory: its address space, or its data; and
   it did.  In such a copy, too. */
void hp_profile_before_limit(bool of_space);
void hp_profile_after_limit(void);

/* Whether leaks are to be looked for when the process ends; and that it ends by
   exit, called by this thread in this state. */
bool hp_profile_checks_leaks(void);
struct hp_sys_stopped;
void hp_profile_note_exit(const struct hp_sys_stopped *caller);

/* Keeps everybody from the profile, with the allocator as it is. */
void hp_profile_lock(void);
bool hp_profile_try_lock(void); /* false: somebody has it */
void hp_profile_unlock(void);

/* In a forked child, whose only thread has that lock: a new window begins.
   WHOLE false: the parent's other threads went on while the kernel copied
   memory, so that the child cannot be profiled.  Nor can one that bears a
   filter of system calls under which the runtime's threads could not work. */
void hp_profile_after_fork_child(bool whole);

#ifdef __cplusplus
}
#endif
#endif
