/* run_failures.h - which dumps could not be written or are of nothing: processes add a
   line each to memory or a file of this run, so that nothing is added to their own output.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_RUN_FAILURES_H
#define HP_RUN_FAILURES_H

#include <limits.h>
#include <stddef.h>

struct hp_run_failures {
  size_t count;
  char first[PATH_MAX + 512]; /* its path, reason and remedy; one line */
  /* Processes that the runtime ended, and said why: an empty line each. */
  size_t deaths;
  /* Processes with a malloc of their own: a tab and the program's name. */
  size_t unseen;
  char first_unseen[NAME_MAX + 1];
};

struct hp_run_listening {
  const char *file; /* to which every user may add; NULL: none */
  const char
      *memory; /* mapped by processes of this user as they begin, which so
                         can tell whatever they give up; NULL: none */
};
struct hp_run_listening hp_run_failures_begin(void);

/* What both say; there are no files any more, and nobody listens. */
void hp_run_failures_end(struct hp_run_failures *failures);

#endif
