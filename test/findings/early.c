// early.c - a table allocated long before its first use, and its twin made when needed.
// Allocated early.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clang_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK: Likely:
// CHECK-SAME: 1 chunk of 781 KiB (long) from main (early.c:{{[0-9]+}}) is allocated long before
// CHECK-SAME: -> Allocate it where it is first used
// CHECK-SAME: [allocated_early]
// REPAIRED: no findings
#include <stdlib.h>
#include <string.h>

__attribute__((noinline)) long *make_table(void) {
  return malloc(100000 * sizeof(long));
}

__attribute__((noinline)) long work(volatile int *cell) {
  long sum = 0;
  for (int i = 0; i < 400000000; i++)
    sum += *cell;
  return sum;
}

int main(void) {
  int one = 1;
#ifndef REPAIRED
  long *table = make_table();
#endif
  long sum = work(&one);
#ifdef REPAIRED
  long *table = make_table();
#endif
  for (int i = 0; i < 100000; i++)
    table[i] = i;
  for (int i = 0; i < 100000; i++)
    sum += table[i];
  free(table);
  return sum == 0;
}
