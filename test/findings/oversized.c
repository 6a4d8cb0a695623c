// oversized.c - buffers of which little is used, and their twins of the right size.
// Low coverage.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clang_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK: Likely:
// CHECK-SAME: 200 chunks of 16.0 KiB (char) from make_buffer (oversized.c:{{[0-9]+}}) are too
// CHECK-SAME: 1 % of the bytes are ever touched: 800 KiB of malloc's memory at the peak (95 % of it)
// CHECK-SAME: -> Allocate less: 200 B per chunk
// CHECK-SAME: [low_coverage]
// REPAIRED: no findings
#include <stdlib.h>
#include <string.h>

#ifdef REPAIRED
#define ROOM 200
#else
#define ROOM 16384
#endif

__attribute__((noinline)) char *make_buffer(int i) {
  char *buffer = malloc(ROOM);
  memset(buffer, i, 200);
  return buffer;
}

int main(void) {
  static char *buffers[200];
  int sum = 0;
  for (int i = 0; i < 200; i++)
    buffers[i] = make_buffer(i);
  for (int i = 0; i < 200; i++)
    for (int k = 0; k < 200; k++)
      sum += buffers[i][k];
  for (int i = 0; i < 200; i++)
    free(buffers[i]);
  return sum == 1;
}
