// one-point.c - a question about one allocation point reads that point's part of the log, and is answered as from all of it.
// One point has many chunks and a file of its own; 64 have few, and share files.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O0 -g %s -o %t
// RUN: %env_heapprof_opts=chunk_log=all:collapse_recursion=0 %run %t
// RUN: %python %S/Inputs/one_point.py %heapprof_score %dump/heapprof.*
#include <stdlib.h>

static volatile long turns;
static void *volatile kept;

__attribute__((noinline)) static void many(int i) {
  char *p = malloc(100);
  kept = p;
  p[i % 100] = 1;
  free(p);
}

// A call stack of its own for each number below 64.
__attribute__((noinline)) static long few(int depth, int number) {
  if (!depth) {
    char *p = malloc(20 + (size_t)number);
    kept = p;
    p[0] = 1;
    free(p);
    return 1;
  }
  if (number >> (depth - 1) & 1) {
    turns = turns + few(depth - 1, number);
    return 5;
  }
  turns = turns - few(depth - 1, number);
  return 7;
}

int main(void) {
  for (int round = 0; round < 128; round++) {
    for (int i = 0; i < 64; i++)
      few(6, i);
    for (int i = 0; i < 64; i++)
      many(i);
  }
  return 0;
}
