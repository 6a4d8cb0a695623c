/* signal-handler.c - a handler that reads and writes the heap interrupts code that allocates and frees.
   Its accesses count like any other, errno of the interrupted code survives, and nothing hangs.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O0 -g %s -o %t && %env_heapprof_opts=chunk_log=all %run %t && %expect %dump
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

static volatile unsigned *ticks; /* 44 bytes; [0] written by the handler only */
static volatile sig_atomic_t handled;

static void handler(int number) {
  (void)number;
  if (handled == 500)
    return;
  ticks[0] = ticks[0] + 1; /* 1 read, 1 write */
  handled++;
}

int main(void) {
  ticks = calloc(11, sizeof *ticks);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  if (sigaction(SIGALRM, &action, NULL))
    return 1;
  struct itimerval timer = {{0, 200}, {0, 200}};
  setitimer(ITIMER_REAL, &timer, NULL);
  errno = 42;
  unsigned rounds = 0;
  while (handled < 500) { /* however long that takes */
    char *p = malloc(100 + rounds % 1000);
    p[0] = 1;
    p = realloc(p, 200000);
    free(p);
    rounds++;
  }
  struct itimerval none = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &none, NULL);
  int kept = errno == 42;
  signal(SIGALRM, SIG_IGN);
  return kept && ticks[0] == 500 ? 0 : 2; /* 1 read */
}
// EXPECT: (chunk(size=44).reads, chunk(size=44).writes) == (501, 500)
// EXPECT: (chunk(size=44).lo, chunk(size=44).hi) == (0, 4)
// EXPECT: process.invalid_frees == 0 and process.exit_status == 0
