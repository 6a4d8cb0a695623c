/* replay.h - the dump of a run, as a program that does nothing but allocate as that run did.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_REPLAY_H
#define HP_REPLAY_H

#include <limits.h>

struct hp_replay {
  char driver[PATH_MAX]; /* the program */
  char path[64];         /* the file of its events, */
  char slots[32];        /* its slots, */
  char threads[32];      /* its threads */
  char name[PATH_MAX];   /* "replay of DUMP" */
  char *arguments[5];    /* these, as a program has them */
};

/* 0, or what to end with, after a line that says why. */
int hp_replay_open(struct hp_replay *replay, const char *dump);

#endif
