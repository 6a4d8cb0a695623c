// empty-among-kept.c - an array that is kept, beside empty ones made at the same line: what these take is not the array's.
// As minimap2 did: calloc(n, 8) for each bucket of an index, n mostly 0.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' > %t.txt
// RUN: FileCheck %s < %t.txt && FileCheck --check-prefix=KEPT %s < %t.txt
// CHECK: main (empty-among-kept.c:{{[0-9]+}}) asks for 0 bytes again and again: 3999 allocations
// KEPT-NOT: is kept long after
#include <stdlib.h>

enum { BUCKETS = 4000 };

__attribute__((noinline)) long work(volatile int *cell) {
  long sum = 0;
  for (int i = 0; i < 800000000; i++)
    sum += *cell;
  return sum;
}

int main(void) {
  static long *buckets[BUCKETS];
  int one = 1;
  for (int b = 0; b < BUCKETS; b++)
    buckets[b] = calloc(b == BUCKETS / 2 ? 2 : 0, sizeof(long));
  long sum = ++buckets[BUCKETS / 2][1];
  sum += work(&one);
  for (int b = 0; b < BUCKETS; b++)
    free(buckets[b]);
  return sum == 0;
}
