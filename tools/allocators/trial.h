/* trial.h - one run of the program: with what environment, what it cost, how it ended.
   Plain, under the meter, or with its memory calls counted.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_TRIAL_H
#define HP_TRIAL_H

#include "contender.h"

#include <stdbool.h>
#include <stdint.h>

/* Of the program and what it started and waited for. */
struct hp_trial {
  int status; /* waitpid's */
  uint64_t user_ns, system_ns, elapsed_ns, peak_rss_bytes;
  uint64_t minor_faults, major_faults;
};

/* Of the program's own process, all its threads. */
struct hp_memory_calls {
  uint64_t brk, mmap, munmap, mremap, madvise;
};

struct hp_trial_plan {
  const char *path;
  char **arguments;
  const struct hp_contender *contender;
  const char *meter; /* the meter's library, or NULL */
  int record;        /* the file of its record */
  bool shown;        /* its output is the command's own; else it is dropped */
  int input;         /* a file that each run reads from its start, or -1 */
};

/* 0, or errno of what failed before the program ran. */
int hp_trial_run(const struct hp_trial_plan *plan, struct hp_trial *trial);

/* The same under ptrace, as strace does it.  TRIAL has its status only. */
int hp_trial_count(const struct hp_trial_plan *plan, struct hp_trial *trial,
                   struct hp_memory_calls *calls);

/* In a child: becomes the program, or returns errno. */
int hp_trial_become(const struct hp_trial_plan *plan);

#endif
