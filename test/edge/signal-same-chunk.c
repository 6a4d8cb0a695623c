/* signal-same-chunk.c - a handler interrupts the very code that counts accesses of the chunk that it accesses too.
   No count of either is lost; how often the loop went round is told by the size of another chunk.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O0 -g %s -o %t && %run %t && %expect %dump
// RUN: %clang_heapprof -O2 -g %s -o %t && %run %t && %expect %dump
// RUN: %env_heapprof_opts=exact_time=1 %run %t && %expect %dump
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

volatile int *shared; /* not static: else the compiler makes it a variable */
static volatile sig_atomic_t handled;

static void handler(int number) {
  (void)number;
  if (handled == 2000)
    return;
  shared[0] = shared[0] + 1; /* 1 read, 1 write */
  handled++;
}

__attribute__((noinline)) static void tell(size_t rounds) {
  void *volatile p = malloc(rounds);
  (void)p;
}

int main(void) {
  shared = malloc(44);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  if (sigaction(SIGALRM, &action, NULL))
    return 1;
  struct itimerval timer = {{0, 100}, {0, 100}};
  setitimer(ITIMER_REAL, &timer, NULL);
  size_t rounds = 0;
  while (handled < 2000) { /* however long that takes */
    shared[1] = 1;         /* 1 write */
    rounds++;
  }
  signal(SIGALRM, SIG_IGN);
  tell(rounds);
  return 0;
}
// EXPECT: chunk(size=44).writes == 2000 + point("tell").bytes
// EXPECT: chunk(size=44).reads == 2000 and (chunk(size=44).lo, chunk(size=44).hi) == (0, 8)
