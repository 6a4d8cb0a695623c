// overrun-neighbour.c - an index that is too large by some elements reaches what lies ahead of the next chunk: which of the two is too short nobody knows, and it is said so.
// What ends within the place of its own chunk is told of that one, and how far it goes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: for o in -O0 -O2; do %clang_heapprof $o -g %s -o %t && %run %t && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' > %t.out && FileCheck %s < %t.out && FileCheck --check-prefix=NONE %s < %t.out || exit 1; done
// CHECK-DAG: of 16 B (long) from make (overrun-neighbour.c:[[#]]) are read ahead of the beginning, or beyond the end of a neighbour, first read by far (overrun-neighbour.c:[[#]]). -> Allocate what is accessed, or stop at both ends of what was allocated.
// CHECK-DAG: of 24 B (long) from make_more (overrun-neighbour.c:[[#]]) {{is|are}} read beyond the end, by at least 8 B, first read by near (overrun-neighbour.c:[[#]]). -> Allocate what is accessed, or stop at the end of what was allocated.
// NONE-NOT: ahead of the beginning, first
#include <stdio.h>
#include <stdlib.h>

#define APART __attribute__((noinline)) static

APART long *make(void) {
  long *two = malloc(2 * sizeof *two);
  two[0] = two[1] = 1;
  return two;
}

APART long *make_more(void) {
  long *three = malloc(3 * sizeof *three);
  three[0] = three[1] = three[2] = 1;
  return three;
}

APART long far(const long *two, int i) { return two[i]; }

APART long near(const long *three, int i) { return three[i]; }

int main(void) {
  long *all[8], sum = 0;
  for (int i = 0; i < 8; i++)
    all[i] = make();
  for (int i = 0; i < 8; i++)
    sum |= far(all[i], 4);
  long *more = make_more();
  sum |= near(more, 3);
  printf("%d\n", sum == 42);
  for (int i = 0; i < 8; i++)
    free(all[i]);
  free(more);
  return 0;
}
