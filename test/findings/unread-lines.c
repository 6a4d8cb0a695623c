// unread-lines.c - scratch buffers that one function makes and clears for each scan, mostly for nothing: one cause, one finding.
// Those of another function are another one. The twin is repaired: they are made when there is something to put into them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clang_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK: Fact: 6000 chunks of 48 B (char) from scan (unread-lines.c:[[#]]) are written and never read, and so at 2 other lines of it: 6000 allocations
// CHECK-SAME: -> Do not build what nobody reads: make it when there is something to read
// CHECK-SAME: [write_only] points #1 #2 #3
// CHECK-SAME: Fact: 1000 chunks of 48 B (char) from quote (unread-lines.c:[[#]]) are written and never read: 1000 allocations
// CHECK-SAME: [write_only] point #4
// REPAIRED: no findings
#include <stdlib.h>
#include <string.h>

#define APART __attribute__((noinline))

static void *volatile kept;

APART static char *cleared(char *bytes) {
  memset(bytes, 0, 48);
  kept = bytes; /* whoever may read it */
  return bytes;
}

#ifdef REPAIRED
#define SCRATCH() NULL
#else
#define SCRATCH() cleared(malloc(48))
#endif

APART static long scan(long seed) {
  char *leading = SCRATCH();
  char *trailing = SCRATCH();
  char *blanks = SCRATCH();
  free(leading);
  free(trailing);
  free(blanks);
  return seed * 7;
}

APART static long quote(long seed) {
  char *text = SCRATCH();
  free(text);
  return seed + 1;
}

int main(void) {
  long sum = 0;
  for (long i = 0; i < 2000; i++)
    sum += scan(i) + (i % 2 ? quote(i) : 0);
  return sum == 1;
}
