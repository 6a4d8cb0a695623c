// still-reachable.c - tables that are only needed at the start and kept until the end; a cache that is used throughout is none.
// Its twin gives them back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clang_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK-NOT: Fact:
// CHECK: Likely:
// CHECK-SAME: 100 chunks of 1.00 KiB (long) from load_table (still-reachable.c:[[#]]) are kept until the end, long after the last use; the program can still reach them:
// CHECK-SAME: [still_reachable]
// CHECK-NOT: load_cache
// REPAIRED: no findings
#include <stdlib.h>
#include <time.h>

enum { LENGTH = 128, COUNT = 100 };
static long *tables[COUNT], *cache[COUNT];

__attribute__((noinline)) static long *load_table(long from) {
  long *table = malloc(LENGTH * sizeof *table);
  for (long i = 0; i < LENGTH; i++)
    table[i] = from + i;
  return table;
}

__attribute__((noinline)) static long *load_cache(long from) {
  long *table = malloc(LENGTH * sizeof *table);
  for (long i = 0; i < LENGTH; i++)
    table[i] = from + i;
  return table;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

__attribute__((noinline)) static long sum_of(long *const *of) {
  long sum = 0;
  for (int i = 0; i < COUNT; i++)
    for (int k = 0; k < LENGTH; k++)
      sum += of[i][k];
  return sum;
}

int main(void) {
  double begun = now();
  long sum = 0;
  for (int i = 0; i < COUNT; i++) {
    tables[i] = load_table(i);
    cache[i] = load_cache(i);
  }
  sum += sum_of(tables);
  double loaded = now() - begun; /* however long that took, five times of it */
#ifdef REPAIRED
  for (int i = 0; i < COUNT; i++)
    free(tables[i]);
#endif
  do
    sum += sum_of(cache);
  while (now() - begun < 1.1 || now() - begun < 5 * loaded);
  return sum == 1;
}
