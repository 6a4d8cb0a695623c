// A program that is stopped for a while (ctrl-Z, a debugger): the coarse clock
// stood still all that time, so that last accesses of chunks that lived much
// shorter are not known by it.  Among those whose clock was read at each access
// the long-used ones must not be missing, or the rest would speak for all.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang_heapprof -g -O1 %s -o %t
// RUN: %env_heapprof_opts=profile_children=0 %run %t > %t.own
// RUN: %heapprof_score --json %dump > %t.json
// RUN: %python %S/check_score.py %t.json %t.own honest
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CHUNKS 2000

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

// Stops this process for 1200 ms.
static void stop(void) {
  pid_t self = getpid(), child = fork();
  if (child == 0) {
    kill(self, SIGSTOP);
    for (double begin = now(); now() - begin < 1200;)
      ;
    kill(self, SIGCONT);
    _exit(0);
  }
  waitpid(child, NULL, 0);
}

int main(void) {
  static char *chunks[CHUNKS];
  static double t0[CHUNKS], last[CHUNKS];
  for (int i = 0; i < CHUNKS; i++) {
    volatile char *p = malloc(16);
    t0[i] = last[i] = now();
    p[0] = 1;
    chunks[i] = (char *)p;
  }
  // Every other chunk is used all along, the others only at their start.
  for (double begin = now(); now() - begin < 400;)
    for (int i = 0; i < CHUNKS; i += 2) {
      last[i] = now();
      ((volatile char *)chunks[i])[0] = 2;
    }
  double sum = 0;
  for (int i = 0; i < CHUNKS; i++) {
    double t1 = now();
    free(chunks[i]);
    sum += (last[i] - t0[i]) / (t1 - t0[i]);
  }
  stop();
  printf("%.6f\n", sum / CHUNKS);
  return 0;
}
