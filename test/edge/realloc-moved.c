/* realloc-moved.c - realloc ends one chunk and begins another at the realloc's own stack, at the same tick.
   The copy is one read of the old and one write of the new over [0, min(old, new)), growing or shrinking.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O0 -g %s -o %t && %run %t && %expect %dump
#include <stdlib.h>

static void *first(void) { return malloc(100); }
static void *grow(void *p) { return realloc(p, 5000); }
static void *shrink(void *p) { return realloc(p, 7); }

int main(void) {
  char *p = first();
  for (int i = 0; i < 100; i++)
    p[i] = (char)i; /* 100 writes */
  char *q = grow(p);
  if (q == p)
    return 1; /* 5000 bytes cannot lie in a slot of 100 */
  for (int i = 0; i < 100; i++)
    if (q[i] != i) /* 100 reads */
      return 2;
  char *r = shrink(q);
  for (int i = 0; i < 7; i++)
    if (r[i] != i) /* 7 reads */
      return 3;
  free(r);
  return 0;
}
// EXPECT: process.allocations == 3 and process.frees == 3
// EXPECT: point("first").chunks == 1 and point("grow").chunks == 1 and point("shrink").chunks == 1
// EXPECT: (chunk(size=100).reads, chunk(size=100).writes) == (1, 100)
// EXPECT: (chunk(size=5000).reads, chunk(size=5000).writes) == (101, 1)
// EXPECT: (chunk(size=5000).lo, chunk(size=5000).hi) == (0, 100)
// EXPECT: (chunk(size=7).reads, chunk(size=7).writes) == (7, 1)
// EXPECT: (chunk(size=7).lo, chunk(size=7).hi) == (0, 7)
// EXPECT: "REALLOC" in chunk(size=100).flags and "REALLOC" in chunk(size=5000).flags
// EXPECT: "REALLOC" not in chunk(size=7).flags and "LIVE" not in chunk(size=7).flags
// EXPECT: chunks(t0=chunk(size=100).t1, thread=chunk(size=100).free_thread) == chunks(size=5000)
// EXPECT: chunks(t0=chunk(size=5000).t1, thread=chunk(size=5000).free_thread) == chunks(size=7)
// EXPECT: process.peak_bytes == 5000
// EXPECT: chunk(size=100).last == chunk(size=100).t1 and chunk(size=5000).first == chunk(size=5000).t0
