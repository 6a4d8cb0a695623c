/* run_program.h - which file a program's name stands for, and whether the
   runtime can be loaded into it.  Files are read, nothing is started.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_RUN_PROGRAM_H
#define HP_RUN_PROGRAM_H

#include <limits.h>
#include <stdbool.h>

enum hp_run_kind {
  HP_RUN_PLAIN,    /* the runtime can be preloaded */
  HP_RUN_BUILT_IN, /* it has the runtime */
  HP_RUN_NOT,      /* it cannot be profiled; what it starts can */
  HP_RUN_FOREIGN   /* our library would be refused by its loader */
};

struct hp_run_program {
  char path[PATH_MAX];   /* what to execute */
  char loaded[PATH_MAX]; /* the program the kernel loads: PATH, or what
                            interprets it */
  enum hp_run_kind kind;
  char why[160]; /* why it is NOT or FOREIGN: "is linked statically" */
};

/* As execvp does it.  0, or errno's ENOENT or EACCES. */
int hp_run_find(const char *name, struct hp_run_program *program);

/* Fills in the rest. */
void hp_run_look_into(struct hp_run_program *program);

#endif
