// Control flow that leaves functions sideways: longjmp, signal handlers, exit
// handlers, constructors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang_heapprof -g -O0 %s -o %t && %run %t && %check_counts
// OTHER chunks=0
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>

static volatile int *shared;

static void on_signal(int number) { shared[1] += number; }

static void at_exit(void) {
  (void)shared[3];
  free((void *)shared);
}

// Before main.
__attribute__((constructor)) static void first(void) {
  // first: 4 writes; the jump: 3 updates; the signal: 2 updates; at exit: 1.
  // POINT chunks=1 bytes=16 reads=3+2+1 writes=4+3+2 accessed=16 live=0
  shared = malloc(4 * sizeof *shared);
  for (int i = 0; i < 4; i++)
    shared[i] = 0;
}

static jmp_buf back;

static void jump(int depth) {
  if (depth)
    jump(depth - 1);
  shared[0]++;
  longjmp(back, 1);
}

int main(void) {
  atexit(at_exit);
  for (volatile int i = 0; i < 3; i++)
    if (setjmp(back) == 0)
      jump(i);
  signal(SIGUSR1, on_signal);
  raise(SIGUSR1);
  raise(SIGUSR1);
  return 0;
}
