// generation-callers.c - a likelihood of pairs whose two tables are made anew in each call, from four lines of three functions:
// the turns of all are told, not those of the line with most chunks, and no more bytes at a time than ever lived; and its
// twin with tables that are kept.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clang_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK: peak [[PEAK:[0-9.]+]]KiB (
// CHECK: Likely: Each turn of pair (generation-callers.c:[[#]]) makes anew what is gone by the next: chunks of 8 points, such as
// CHECK-SAME: at least 1500 turns of it, at most [[PEAK]] KiB at a time
// CHECK-SAME: 3000 allocations (100 % of all)
// CHECK-SAME: [generation]
// REPAIRED: no findings
#include <stdlib.h>

#define APART __attribute__((noinline))
#define COUNT 500

#ifdef REPAIRED
static double tables[2][COUNT];
#define take(which) tables[which]
#define give(p) (void)(p)
#else
#define take(which) malloc(sizeof(double[COUNT]))
#define give(p) free(p)
#endif

APART static double *same_of(double length) {
  double *same = take(0);
  for (int i = 0; i < COUNT; i++)
    same[i] = length * i;
  return same;
}

APART static double *other_of(const double *same) {
  double *other = take(1);
  for (int i = 0; i < COUNT; i++)
    other[i] = 1 - same[i];
  return other;
}

APART static double pair(double length) {
  double *same = same_of(length), *other = other_of(same), sum = 0;
  for (int i = 0; i < COUNT; i++)
    sum += same[i] * other[COUNT - 1 - i];
  give(same);
  give(other);
  return sum;
}

APART static double begin(double x) { return pair(x) + 1; }
APART static double middle(double x) { return pair(x) + 2; }
APART static double end(double x) { return pair(x) * pair(x + 1); }

int main(void) {
  double sum = 0;
  for (int i = 0; i < 300; i++)
    sum += begin(i);
  for (int i = 0; i < 600; i++)
    sum += middle(i);
  for (int i = 0; i < 300; i++)
    sum += end(i);
  return sum == 0.5;
}
