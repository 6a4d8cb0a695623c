// member-times.c - when members were used first and last: one before a pause of 20 ms, one behind it, one on both sides, one with the whole record only.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: %clang_heapprof -fsanitize-heapprof-members -O1 -g %s -o %t && env HEAPPROF_OPTIONS=members=1 %run %t
// RUN: %heapprof_score --by member --json %dump/heapprof.* > %t.json && %python %S/Inputs/member_times.py %t.json
// RUN: %heapprof_merge -o %t.merged %dump/heapprof.* && %heapprof_score --by member --json %t.merged > %t.json && %python %S/Inputs/member_times.py %t.json
// RUN: rm -rf %t.merged
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct used {
  volatile int early, late, both, never;
};

struct used *used;

static long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000L + t.tv_nsec;
}

int main(void) {
  used = malloc(sizeof *used);
  memset((void *)used, 0, sizeof *used);
  used->early = 1;
  used->both = 1;
  for (const long begin = now(); now() - begin < 20000000;)
    ;
  used->late = used->both;
  return used->late != 1;
}
