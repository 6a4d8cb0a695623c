// recursion.c - a function that calls itself by another: the innermost call allocates what one further out frees.  Where
// recursion is folded both have the same stack outward, but the chunk is handed on.  Its twin frees what it allocates.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O0 -g -DDEPTH=5 %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck %s
// RUN: %clang_heapprof -O0 -g -DOWN -DDEPTH=0 %s -o %t.own && %run %t.own
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=OWN %s
// CHECK-NOT: [stack_instead]
// OWN: [stack_instead]
#include <stdlib.h>
#include <string.h>

static int sum;

static char *next(int depth);

__attribute__((noinline)) static char *build(int depth) {
  char *text = depth ? next(depth - 1) : malloc(48);
  if (!depth)
    memset(text, 1, 48);
  sum += text[7];
#ifndef OWN
  if (depth < 5)
    return text;
#endif
  free(text);
  return NULL;
}

__attribute__((noinline)) static char *next(int depth) { return build(depth); }

int main(void) {
  for (int i = 0; i < 2000; i++)
    next(DEPTH);
  return sum == 1;
}
