// chain-goes-on.c - a chain of growth that one point begins and another goes on with: the second has no chain of its own,
// and says so.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang_heapprof -g -O1 %s -o %t && %run %t
// RUN: %heapprof_score --stacks --limit 0 %t.dump | FileCheck %s
// CHECK-DAG: 1 chain grows up to 3 times from 64B to 512B
// CHECK-DAG: chains of other points grow up to 4 times from 64B to 1.00KiB; 512B copied
#include <stdlib.h>
#include <string.h>

__attribute__((noinline)) static char *grow(char *p, size_t size) {
  p = realloc(p, size);
  memset(p + size / 2, 1, size / 2);
  return p;
}

__attribute__((noinline)) static char *grow_at_last(char *p, size_t size) {
  p = realloc(p, size);
  memset(p + size / 2, 2, size / 2);
  return p;
}

int main(void) {
  char *p = NULL;
  int sum = 0;
  for (size_t size = 64; size <= 512; size *= 2)
    p = grow(p, size);
  p = grow_at_last(p, 1024);
  for (int i = 512; i < 1024; i++)
    sum += p[i];
  free(p);
  return sum == 1024 ? 0 : 1;
}
