// zero-grown.c - a table of sums that grows while it is read, and is filled at the end; a twin that is never filled.
// What realloc ends is mostly zero; what stays is not, and is promised by nobody.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O1 -g %s -o %t && env HEAPPROF_OPTIONS=contents=1 %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clang_heapprof -O1 -g -DNEVER_FILLED %s -o %t.zero && env HEAPPROF_OPTIONS=contents=1 %run %t.zero
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=ZERO %s
// CHECK-NOT: mostly zero
// CHECK: [growing]
// CHECK-NOT: mostly zero
// ZERO: 22 chunks (double) from main (zero-grown.c:{{[0-9]+}}) are mostly zero: {{[0-9]+}} % of their bytes: {{[4-6][0-9][0-9]}} KiB of malloc's memory at the peak
#include <stdlib.h>

enum { COUNT = 60000 };

int main(void) {
  double *sums = NULL, all = 0;
  size_t room = 0;
  for (size_t i = 0; i < COUNT; i++) {
    if (i == room) {
      room = room ? room * 3 / 2 : 16;
      sums = realloc(sums, room * sizeof *sums);
    }
    sums[i] = 0;
  }
#ifndef NEVER_FILLED
  for (size_t i = 0; i < COUNT; i++)
    sums[i] = 1.0 / (double)(i + 3);
#endif
  for (size_t i = 0; i < COUNT; i++)
    all += sums[i];
  free(sums);
  return all < 0;
}
