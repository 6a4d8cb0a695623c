/* run_child.h - runs the program below this process, which ends as it did.
   Or instead of this process, where nothing is left to do after it.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_RUN_CHILD_H
#define HP_RUN_CHILD_H

#include <sys/types.h>

struct hp_run_command {
  const char *path;
  char **arguments;
  const char *options; /* HEAPPROF_OPTIONS; NULL: left alone */
  const char *preload; /* LD_PRELOAD; NULL: left alone */
};

/* Becomes the program.  Returns errno where that failed. */
int hp_run_become(const struct hp_run_command *command);

/* Runs it and waits.  *STATUS is waitpid's; returns 0, or errno where it could
   not be started.  *PID is its id. */
int hp_run_and_wait(const struct hp_run_command *command, pid_t *pid,
                    int *status);

/* Ends this process as STATUS says the program ended. */
_Noreturn void hp_run_end_like(int status);

#endif
