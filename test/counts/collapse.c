// The depths of a recursion beyond the second are one allocation point, but with collapse_recursion=0; the counts stay
// what they are.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang_heapprof -g -O0 %s -o %t && %env_heapprof_opts=collapse_recursion=0 %run %t && %check_counts
// RUN: %run %t
// RUN: %heapprof_score --json %dump > %t.json
// RUN: rm -rf %t.dir && mkdir %t.dir
// RUN: sed 's/points=6/points=2/' %s > %t.dir/collapse.c
// RUN: %python %S/check_counts.py %t.dir/collapse.c %t.json
#include <stdlib.h>

static void descend(int depth) {
  if (depth == 0)
    return;
  // POINT chunks=6 bytes=6*8 reads=0 writes=6 accessed=6*4 points=6
  int *p = malloc(8);
  *p = depth;
  descend(depth - 1);
  free(p);
}

int main(void) {
  descend(6);
  return 0;
}
