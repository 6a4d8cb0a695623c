// large-again.c - a table that each call makes anew, too large for a stack: one that is kept is the remedy, as of buffers of several sizes. A small one may lie on the stack.
// Its twin keeps the table.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --implicit-check-not="on the stack" %s
// RUN: %clang_heapprof -O1 -g -DSMALL %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=SMALL %s
// RUN: %clang_heapprof -O1 -g -DREPAIRED %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=REPAIRED %s
// CHECK: Likely: table_of (large-again.c:[[#]]) allocates double of 23.4 KiB one after the other
// CHECK-SAME: -> Reuse one buffer
// SMALL: Likely: table_of (large-again.c:[[#]]) allocates double of 800 B one after the other
// SMALL-SAME: or use a variable on the stack if it leaves no function
// REPAIRED: no findings
#include <stdlib.h>

#define APART __attribute__((noinline))

#ifdef SMALL
#define COUNT 100
#else
#define COUNT 3000
#endif

#ifdef REPAIRED
static double kept[COUNT];
#endif

static APART double *table_of(double first) {
#ifdef REPAIRED
  double *table = kept;
#else
  double *table = malloc(COUNT * sizeof(double));
#endif
  for (int i = 0; i < COUNT; i++)
    table[i] = first + i;
  return table;
}

static APART void drop(double *table) {
#ifdef REPAIRED
  (void)table;
#else
  free(table);
#endif
}

static APART double sum_of(int first) {
  double *table = table_of(first), sum = 0;
  for (int i = 0; i < COUNT; i++)
    sum += table[i];
  drop(table);
  return sum;
}

int main(void) {
  double sum = 0;
  for (int i = 0; i < 1000; i++)
    sum += sum_of(i);
  return sum == 1;
}
