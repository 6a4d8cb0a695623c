// HEAPPROF_NO_INSTRUMENT leaves a function's accesses out, and only those;
// __heapprof_record_* puts in what the compiler could not see.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: for level in -O0 -O1 -O2 -O3 -Os -Oz; do \
// RUN:   %clang_heapprof -g $level %s -o %t && %run %t && \
// RUN:   %check_counts || { echo "at $level"; exit 1; }; done
// OTHER chunks=0
#include <sanitizer/heapprof_interface.h>
#include <stdlib.h>

HEAPPROF_NO_INSTRUMENT __attribute__((noinline)) static void
silent(volatile int *p) {
  for (int i = 0; i < 10; i++)
    p[i] = i;
}

static void loud(volatile int *p) {
  for (int i = 0; i < 3; i++)
    p[i] = i;
}

int main(void) {
  // loud: 3 writes of 12 bytes; by call: a read of 16 and a write of 24; what
  // lies on the stack and what is 0 bytes long is nothing.
  // POINT chunks=1 bytes=40 reads=1 writes=3+1 accessed=24
  volatile int *p = malloc(10 * sizeof *p);
  int on_stack[4];
  silent(p);
  loud(p);
  __heapprof_record_read((const void *)p, 16);
  __heapprof_record_write((const void *)p, 24);
  __heapprof_record_read(on_stack, 16);
  __heapprof_record_read((const void *)(p + 9), 0);
  __heapprof_record_write(NULL, 8);
  free((void *)p);
  return 0;
}
