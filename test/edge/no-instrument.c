/* no-instrument.c - accesses of a function marked HEAPPROF_NO_INSTRUMENT are not counted; its allocations are.
   Without the macro the same function counts.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O0 -g %s -o %t && %run %t && %expect %dump
// RUN: %clang_heapprof -O2 -g %s -o %t && %run %t && %expect %dump
// RUN: %clang_heapprof -O0 -g -DHEAPPROF_NO_INSTRUMENT= %s -o %t && %run %t
// RUN: %expect --prefix=WITHOUT %dump
#ifdef HEAPPROF_NO_INSTRUMENT
#define MARK
#else
#include <sanitizer/heapprof_interface.h>
#define MARK HEAPPROF_NO_INSTRUMENT
#endif
#include <stdlib.h>
#include <string.h>

MARK __attribute__((noinline)) static char *hidden(volatile char *p) {
  p[0] = 1;
  p[9] = p[0];
  memset((void *)(p + 20), 1, 3);
  char *volatile q = malloc(31);
  return q;
}

static void seen(volatile char *p) { p[5] = 1; }

int main(void) {
  char *p = malloc(30);
  char *q = hidden(p);
  seen(p);
  q[0] = 1;
  return 0;
}
// EXPECT: point("hidden").chunks == 1 and chunk(size=31).writes == 1
// EXPECT: chunk(size=30).reads == 0 and chunk(size=30).lo == 5
// WITHOUT: (chunk(size=30).reads, chunk(size=30).writes) == (1, 4)
// WITHOUT: (chunk(size=30).lo, chunk(size=30).hi) == (0, 23)
