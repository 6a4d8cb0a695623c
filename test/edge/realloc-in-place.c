/* realloc-in-place.c - the address stays, yet one chunk ends and another begins, linked by time and thread.
   The copy that did not happen is counted all the same: scores must not depend on the slot sizes.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O0 -g %s -o %t && %run %t && %expect %dump
#include <stdlib.h>

int main(void) {
  char *p = malloc(100);
  p[50] = 1;
  char *q = realloc(p, 101);
  if (q != p)
    return 1; /* 100 and 101 bytes have the same slot size */
  q[100] = 1;
  char *same = realloc(q, 101);
  if (same != q || same[50] != 1 || same[100] != 1)
    return 2;
  char *large = malloc(200000);
  char *larger = realloc(large, 200001);
  if (larger != large)
    return 3;
  free(same);
  free(larger);
  return 0;
}
// EXPECT: process.allocations == 5 and process.frees == 5
// EXPECT: (chunk(size=100).reads, chunk(size=100).writes) == (1, 1)
// EXPECT: (chunk(size=100).lo, chunk(size=100).hi) == (0, 100)
// EXPECT: sorted((c.reads, c.writes) for c in chunks(size=101)) == [(1, 2), (2, 1)]
// EXPECT: all((c.lo, c.hi) == (0, 101) for c in chunks(size=101))
// EXPECT: chunks(t0=chunk(size=100).t1, thread=1) == [c for c in chunks(size=101) if "REALLOC" in c.flags]
// EXPECT: [len(chunks(t0=c.t1, thread=c.free_thread)) for c in chunks() if "REALLOC" in c.flags] == [1, 1, 1]
// EXPECT: (chunk(size=200000).reads, chunk(size=200000).writes) == (1, 0)
// EXPECT: (chunk(size=200001).reads, chunk(size=200001).writes, chunk(size=200001).hi) == (0, 1, 200000)
// EXPECT: process.peak_bytes == 101 + 200001
