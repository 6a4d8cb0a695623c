/* handler-that-jumps.c - a handler of a signal jumps out of malloc and free, 1000 times; C leaves open what then happens.
   No chunk is handed out twice, no lock is left behind, the process ends as it wants to, and its dump is readable.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O1 -g %s -o %t
// RUN: for options in checkpoint_ms=1000 checkpoint_ms=1:chunk_log=all sample_every=3; do \
// RUN:   %env_heapprof_opts=$options %run %t; test $? = 7 || exit 1; \
// RUN:   %heapprof_score --json %dump > %t.json || exit 1; done
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

enum { JUMPS = 1000, KEPT = 64 };

static sigjmp_buf back;
static volatile sig_atomic_t jumps, may_jump;

static void handler(int number) {
  (void)number;
  if (may_jump && jumps < JUMPS) {
    may_jump = 0;
    jumps++;
    siglongjmp(back, 1);
  }
}

/* A chunk that another one lies in changes; what is jumped out of is lost. */
int main(void) {
  static unsigned char *volatile kept[KEPT];
  static size_t sizes[KEPT];
  static volatile unsigned rounds;
  struct sigaction action;
  struct itimerval timer = {{0, 200}, {0, 200}};
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  if (sigaction(SIGALRM, &action, NULL) || setitimer(ITIMER_REAL, &timer, NULL))
    return 1;
  sigsetjmp(back, 1);
  may_jump = jumps < JUMPS;
  while (jumps < JUMPS) {
    unsigned i = rounds++ % KEPT;
    unsigned char *old = kept[i];
    for (size_t k = 0; old && k < sizes[i]; k++)
      if (old[k] != i)
        return 2;
    kept[i] = NULL;
    free(old);
    sizes[i] = 16 + rounds % 50 * 40;
    unsigned char *p = malloc(sizes[i]);
    if (!p)
      return 3;
    memset(p, (int)i, sizes[i]);
    kept[i] = p;
  }
  for (int i = 0; i < KEPT; i++)
    free(kept[i]);
  return 7;
}
