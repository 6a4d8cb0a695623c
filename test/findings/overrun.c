// overrun.c - buffers that are one byte too short, and a loop that goes one element too far.
// Each is named with the line that went beyond. The twin allocates what it uses: nothing is said.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O0 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clang_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %env_heapprof_opts=exact_time=1 %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clang_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK: Fact:
// CHECK-DAG: 500 chunks of 21 B (char) from fill (overrun.c:[[#]]) are read and written beyond the end, by at least 1 B, first written by fill (overrun.c:[[#FILL:]]). -> Allocate what is accessed, or stop at the end of what was allocated.
// CHECK-DAG: 1 chunk of 5 B (char) from duplicate (overrun.c:[[#]]) is {{(read and )?}}written beyond the end, by at least 1 B, first written by duplicate (overrun.c:[[#COPY:]]).
// CHECK-DAG: 1 chunk of 40 B (int) from main (overrun.c:[[#]]) is read beyond the end, by at least 4 B, first read by sum (overrun.c:[[#]]).
// CHECK-DAG: 1 chunk of 12 B (int) from main (overrun.c:[[#]]) is read ahead of the beginning, or beyond the end of a neighbour, first read by before (overrun.c:[[#]]). -> Allocate what is accessed, or stop at both ends of what was allocated.
// REPAIRED-NOT: [overrun]
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef REPAIRED
#define MORE 1
#else
#define MORE 0
#endif

__attribute__((noinline)) static int fill(int n) {
  char *p = malloc((size_t)n + MORE);
  int sum = 0;
  for (int i = 0; i <= n; i++)
    p[i] = (char)i;
  __asm__ volatile("" : : "r"(p) : "memory");
  for (int i = 0; i <= n; i++)
    sum += p[i];
  free(p);
  return sum;
}

__attribute__((noinline)) static char *duplicate(const char *text) {
  char *copy = malloc(strlen(text) + MORE);
  strcpy(copy, text); /* and what ends it */
  __asm__ volatile("" ::: "memory");
  return copy;
}

__attribute__((noinline)) static int sum(const int *p, int n) {
  int sum = 0;
  for (int i = 0; i <= n; i++)
    sum += p[i];
  return sum;
}

__attribute__((noinline)) static int before(const int *p) {
  return p[-1 + MORE];
}

int main(int argc, char **argv) {
  int total = 0;
  for (int i = 0; i < 500; i++)
    total += fill(21);
  char *copy = duplicate(argc > 1 ? argv[1] : "hello");
  int *values = malloc((10 + MORE) * sizeof *values);
  for (int i = 0; i < 10 + MORE; i++)
    values[i] = i;
  total += sum(values, 10) - sum(values, 9);
  int *few = malloc(3 * sizeof *few);
  few[0] = 1;
  total += before(few);
  printf("%d %s\n", total, copy);
  free(copy);
  free(values);
  free(few);
  return 0;
}
