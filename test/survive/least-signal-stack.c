/* least-signal-stack.c - a signal ends a process whose stack for handlers is as small as can be as without us: the kernel had no room
   there for our handler's frame, and ended it by SIGSEGV.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: rm -rf %t.d && mkdir %t.d && %clang -O1 %s -o %t.plain && %clang_heapprof -O1 %s -o %t
// RUN: %t.plain > %t.expected && grep -q "^2048: 15 6 10$" %t.expected
// RUN: %run %t > %t.out && diff %t.expected %t.out
// RUN: %heapprof_run -q -o %t.d %t.plain > %t.out && diff %t.expected %t.out
// RUN: %heapprof_score %dump/heapprof.* > %t.score
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LEAST = 2048, MOST = 8192, STEP = 512 };

/* Which signal ends a child that has got NUMBER. */
static int ends_by(int number, size_t size) {
  static char stack[MOST];
  const stack_t own = {.ss_sp = stack, .ss_size = size};
  int status = 0;
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    free(malloc(100));
    if (sigaltstack(&own, NULL) == 0)
      raise(number);
    _exit(0);
  }
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

int main(void) {
  for (size_t size = LEAST; size <= MOST; size += STEP)
    printf("%zu: %d %d %d\n", size, ends_by(SIGTERM, size),
           ends_by(SIGABRT, size), ends_by(SIGUSR1, size));
  return 0;
}
