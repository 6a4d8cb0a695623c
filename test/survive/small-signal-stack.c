/* small-signal-stack.c - a handler whose stack is too small, also for the runtime's of the fault that comes of that, ends the process
   by this fault: it came again and again, for ever.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: rm -rf %t.d && mkdir %t.d && %clang -O1 %s -o %t.plain && %clang_heapprof -O1 %s -o %t
// RUN: timeout 60 %t.plain > %t.expected && grep -q "^signal 11$" %t.expected
// RUN: timeout 60 %run %t > %t.out && diff %t.expected %t.out
// RUN: timeout 60 %heapprof_run -q -o %t.d %t.plain > %t.out && diff %t.expected %t.out
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096, LEAST = 2048, MOST = 16 * PAGE, STEP = 256 };

static void deep(int number) {
  char *at = __builtin_frame_address(0);
  for (int i = 0; i < 32 * PAGE; i += 128)
    ((volatile char *)at)[-i] = (char)number;
}

/* The memory ahead of it cannot be written. */
static void on_stack_of(size_t size) {
  char *stack = mmap(NULL, MOST + 64 * PAGE, PROT_READ,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(stack + 64 * PAGE, MOST, PROT_READ | PROT_WRITE);
  stack_t own = {.ss_sp = stack + 64 * PAGE, .ss_size = size};
  struct sigaction act = {.sa_handler = deep, .sa_flags = SA_ONSTACK};
  free(malloc(100));
  if (sigaltstack(&own, NULL) == 0 && sigaction(SIGUSR1, &act, NULL) == 0)
    raise(SIGUSR1);
}

int main(void) {
  for (size_t size = LEAST; size <= MOST;
       size += size < 4 * PAGE ? STEP : PAGE) {
    int status = 0;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
      on_stack_of(size);
      _exit(0);
    }
    waitpid(child, &status, 0);
    printf("signal %d\n", WIFSIGNALED(status) ? WTERMSIG(status) : 0);
  }
  return 0;
}
