// merged-calls.c - two calls of malloc that an optimiser would make one: each keeps its line, and so its finding.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: %clang_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score %dump/heapprof.* | FileCheck %s
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score %dump/heapprof.* | FileCheck %s
// CHECK-NOT: merged-calls.c:0
// CHECK-DAG: merged-calls.c:[[#@LINE+7]] {{.*}} 200
// CHECK-DAG: merged-calls.c:[[#@LINE+10]] {{.*}} 100
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static char *make(int kind, size_t n) {
  if (kind) {
    char *p = malloc(n);
    p[0] = 1;
    return p;
  } else {
    char *p = malloc(n);
    p[0] = 1;
    return p;
  }
}

int main(void) {
  long sum = 0;
  for (size_t i = 0; i < 300; i++) {
    char *p = make(i % 3 != 0, 10 + i);
    sum += p[0];
    free(p);
  }
  printf("%ld\n", sum);
  return 0;
}
