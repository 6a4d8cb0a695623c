// early.c - tables allocated long before their first use, and their twins made when needed.
// Allocated early.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clang_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK: Likely:
// CHECK-SAME: 5 chunks of 781 KiB (long) from make_table (early.c:{{[0-9]+}}) are allocated long before
// CHECK-SAME: -> Allocate it where it is first used
// CHECK-SAME: [allocated_early]
// REPAIRED: no findings
#include <stdlib.h>
#include <string.h>

enum {
  TABLES = 5
}; // the program may lose the processor between one and its first use

__attribute__((noinline)) long *make_table(void) {
  return malloc(100000 * sizeof(long));
}

__attribute__((noinline)) long work(volatile int *cell) {
  long sum = 0;
  for (int i = 0; i < 800000000; i++)
    sum += *cell;
  return sum;
}

int main(void) {
  int one = 1;
  long *tables[TABLES], sum = 0;
#ifndef REPAIRED
  for (int t = 0; t < TABLES; t++)
    tables[t] = make_table();
#endif
  sum += work(&one);
  for (int t = 0; t < TABLES; t++) {
#ifdef REPAIRED
    tables[t] = make_table();
#endif
    for (int i = 0; i < 100000; i++)
      tables[t][i] = i;
    for (int i = 0; i < 100000; i++)
      sum += tables[t][i];
    free(tables[t]);
  }
  return sum == 0;
}
