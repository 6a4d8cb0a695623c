/* killed-in-allocator.c - signals that find a process in the middle of an allocation, with locks that its dump
   needs: it ends by them, with a whole profile.  So it does at the end of its stack.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %build && rm -rf %t.d && mkdir %t.d
// RUN: env HEAPPROF_OPTIONS=dump_dir=%t.d %t | FileCheck %s
// RUN: ls %t.d | count 101
// RUN: %heapprof_run --quiet -o %t.d/run %t.plain | FileCheck %s
// RUN: ls %t.d/run | count 101
// RUN: %heapprof_run --quiet --allocator=program -o %t.d/program %t.plain | FileCheck %s
// RUN: ls %t.d/program | count 101
// CHECK: signal 14: 40, otherwise 0, not at all 0
// CHECK: signal 11: 60, otherwise 0, not at all 0
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHUNKS = 20000, SECONDS = 30 };

static void until_killed(int number) {
  static void *chunks[CHUNKS];
  unsigned random = (unsigned)number;
  setitimer(ITIMER_REAL,
            &(struct itimerval){.it_value.tv_usec = 20000 + number * 997},
            NULL);
  for (;;) {
    random = random * 1664525 + 1013904223;
    unsigned i = (random >> 8) % CHUNKS;
    free(chunks[i]);
    chunks[i] = malloc((random >> 4) % 4000);
  }
}

/* Every few chunks the allocator takes memory of the system. */
static int deeper(volatile char *p, int round) {
  volatile char room[64];
  room[0] = *p;
  char *volatile chunk = malloc(50000);
  return deeper(chunk ? room : p, round + 1) + room[0];
}

static void until_the_stack_ends(int number) {
  volatile char room[number * 48 + 1]; /* so that it ends elsewhere each time */
  struct rlimit stack = {256 << 10, RLIM_INFINITY};
  setrlimit(RLIMIT_STACK, &stack);
  room[0] = 0;
  deeper(room, 0);
}

static void end(void (*way)(int), int children, int signal) {
  int by_it = 0, otherwise = 0, hang = 0;
  for (int i = 0; i < children; i++) {
    int status = 0, waits = SECONDS * 100;
    pid_t child = fork();
    if (!child)
      way(i);
    while (waitpid(child, &status, WNOHANG) == 0 && waits--)
      usleep(10000);
    if (waits < 0) {
      hang++;
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
    } else if (WIFSIGNALED(status) && WTERMSIG(status) == signal) {
      by_it++;
    } else {
      otherwise++;
    }
  }
  printf("signal %d: %d, otherwise %d, not at all %d\n", signal, by_it,
         otherwise, hang);
}

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  end(until_killed, 40, SIGALRM);
  end(until_the_stack_ends, 60, SIGSEGV);
  return 0;
}
