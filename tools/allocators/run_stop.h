/* run_stop.h - the command is asked to end while a run goes on: the run is ended first, with all that it started.
   SIGHUP, SIGINT, SIGQUIT and SIGTERM, where they were not ignored.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_RUN_STOP_H
#define HP_RUN_STOP_H

#include <stdbool.h>
#include <sys/types.h>

/* Once, before the first run. */
void hp_run_stop_watch(void);

/* fork(): the child has the signals that this process was started with, and a group of its own unless this process
   has the terminal, which the program may want. */
pid_t hp_run_stop_fork(void);

/* That child ended, and was waited for. */
void hp_run_stop_ended(void);

/* The signal that came; 0: none.  Then the run has been sent it, and a second later SIGKILL. */
int hp_run_stop_signal(void);

/* Kills and waits for what is left of the run. */
void hp_run_stop_clear(void);

#endif
