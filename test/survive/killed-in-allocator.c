/* killed-in-allocator.c - signals that find a process in the middle of an allocation, with locks that its dump
   needs: it ends by them, with a whole profile, whatever it is taken from.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %build && rm -rf %t.d && mkdir %t.d
// RUN: env HEAPPROF_OPTIONS=dump_dir=%t.d %t | FileCheck %s
// RUN: ls %t.d | count 41
// RUN: %heapprof_run --quiet -o %t.d/run %t.plain | FileCheck %s
// RUN: ls %t.d/run | count 41
// RUN: %heapprof_run --quiet --allocator=program -o %t.d/program %t.plain | FileCheck %s
// RUN: ls %t.d/program | count 41
// CHECK: ended by it 40, otherwise 0, not at all 0
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILDREN = 40, CHUNKS = 20000, SECONDS = 30 };

static void allocate_until_killed(int after_us) {
  static void *chunks[CHUNKS];
  unsigned random = (unsigned)after_us;
  setitimer(ITIMER_REAL, &(struct itimerval){.it_value.tv_usec = after_us},
            NULL);
  for (;;) {
    random = random * 1664525 + 1013904223;
    unsigned i = (random >> 8) % CHUNKS;
    free(chunks[i]);
    chunks[i] = malloc((random >> 4) % 4000);
  }
}

int main(void) {
  int by_it = 0, otherwise = 0, hang = 0;
  for (int i = 0; i < CHILDREN; i++) {
    int status = 0, waits = SECONDS * 100;
    pid_t child = fork();
    if (!child)
      allocate_until_killed(20000 + i * 997);
    while (waitpid(child, &status, WNOHANG) == 0 && waits--)
      usleep(10000);
    if (waits < 0) {
      hang++;
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
    } else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
      by_it++;
    else
      otherwise++;
  }
  printf("ended by it %d, otherwise %d, not at all %d\n", by_it, otherwise,
         hang);
  return 0;
}
