/* writer.h - the thread that writes to disk, so that no thread of the program
   does. It has a table of descriptors of its own; libc does not know it.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_WRITER_H
#define HP_WRITER_H

#include "system/platform.h"

enum hp_write {
  HP_WRITE_LOG = 1,        /* batches of the chunk log are full */
  HP_WRITE_CHECKPOINT = 2, /* one is due */
  HP_WRITE_DEMAND = 4,     /* a dump is due (demand.h) */
  HP_WRITE_MEMORY = 8      /* where the process's memory is shall be seen */
};

/* The work for each of these: done with the writer's lock, but for a dump on
   demand, which is made without.  The table is given once, at start. */
struct hp_writer_jobs {
  void (*log)(void), (*checkpoint)(void), (*demand)(void), (*memory)(void);
  /* The thread is about to end: closes what it has open. */
  void (*let_go)(void);
  /* The thread becomes who the process is; with the writer's lock.  IS_STARTED: it
     was started for a job just now, by who waits for that. */
  void (*follow_user)(bool is_started);
};
void hp_writer_start(const struct hp_writer_jobs *jobs);

/* The calling process is the one whose dump is written.  False in one that has
   a copy of another's memory, made without fork's handlers. */
void hp_writer_own(void);
bool hp_writer_is_ours(void);

/* Asks for WHAT, to be done soon; the first one starts the thread. */
void hp_writer_ask(enum hp_write what);
bool hp_writer_need_thread(void); /* starts it now; false: there is none */

/* By any other thread that has no lock: says what that thread could not say,
   and where there is none, does its work; dumps on demand only if IS_RUNTIMES.
 */
void hp_writer_help(bool is_runtimes);

/* Who writes to disk has this lock.  For a thread of the program that is to
   wait for the disk: at an end, and for a dump that it asks for itself. */
void hp_writer_lock(void);
void hp_writer_unlock(void);

/* By the holder of that lock: JOB(ARG) on the thread, or here if there is none.
   Returns when it is done. */
void hp_writer_run(void (*job)(void *arg), void *arg);

/* Whether the caller is that thread and no descriptor it opens is seen by the
   program. */
bool hp_writer_owns_files(void);

/* Ends the thread until it is needed again: some system calls are for processes
   of one thread only. */
void hp_writer_end(void);

void hp_writer_before_fork(void); /* before all other locks */
void hp_writer_after_fork_parent(void);
void hp_writer_after_fork_child(void);
void hp_writer_lock_start(void); /* around fork, after the collector's lock */
void hp_writer_unlock_start(void);

#endif
