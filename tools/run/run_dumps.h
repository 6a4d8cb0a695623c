/* run_dumps.h - which dumps a run has left in a directory: those with a name
   that was not there before, of this run.  The program's own is known by its process id.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_RUN_DUMPS_H
#define HP_RUN_DUMPS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Names in a directory, sorted. */
struct hp_run_dumps {
  char **names;
  size_t count;
};

/* A directory that cannot be read has none. */
void hp_run_list(const char *directory, struct hp_run_dumps *dumps);

/* Leaves in NOW what is not in BEFORE, and begun in DIRECTORY: a process that may
   write no file leaves an empty one. */
void hp_run_subtract(struct hp_run_dumps *now,
                     const struct hp_run_dumps *before, const char *directory);

/* Leaves in NOW those of the run that its processes know by RUN (run_main.c), and of what they started in
   another environment; PID is its program.  What cannot be read stays. */
void hp_run_keep_own(struct hp_run_dumps *now, const char *directory,
                     const char *run, pid_t pid);

/* The dump of process PID, the last one written if it executed another program;
   NULL: it left none. */
const char *hp_run_dump_of(const struct hp_run_dumps *dumps,
                           const char *directory, pid_t pid);

/* Its process came to its end: what is said of it is not up to a checkpoint. */
bool hp_run_is_whole(const char *directory, const char *name);

/* Its process executed another program then. */
bool hp_run_has_executed(const char *directory, const char *name);

#endif
