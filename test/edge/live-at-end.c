/* live-at-end.c - a chunk never freed ends with the window: live, never "freed late", part of the scores.
   --exclude-live leaves it out of them; its lifetime is no lifetime of an ended chunk.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O0 -g %s -o %t && %run %t
// RUN: %expect %dump
// RUN: %expect --prefix=EXCLUDED --option=--exclude-live %dump
#include <stdlib.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *kept(void) { return malloc(70); }
static void *both(void) { return malloc(80); }

int main(void) {
  double begun = now();
  char *p = kept();
  p[0] = 1;
  (void)*(volatile char *)p;
  double used = now() - begun; /* however long that took, three times of it */
  while (now() - begun < 3 * used)
    ;
  for (int i = 0; i < 2; i++) {
    char *q = both();
    q[39] = 1;
    (void)*(volatile char *)q; /* 40 of 80 bytes */
    if (i == 0)
      free(q);
  }
  return 0;
}
// EXPECT: "LIVE" in chunk(size=70).flags and chunk(size=70).t1 == end.end
// EXPECT: chunk(size=70).free_thread == 0 and chunk(size=70).free_pc == 0
// EXPECT: (point("kept").live_chunks, point("kept").live_bytes) == (1, 70)
// EXPECT: point("kept").lifetime_ns == dict(min=None, mean=None, max=None)
// EXPECT: point("kept").inferences.never_freed == dict(chunks=1, bytes=70, flagged=True)
// EXPECT: point("kept").inferences.freed_late.chunks == 0
// EXPECT: not point("kept").inferences.freed_late.flagged
// EXPECT: near(point("kept").scores.usage, 1 / 70)
// EXPECT: point("kept").scores.useful_lifetime < 0.5
// EXPECT: point("both").inferences.never_freed == dict(chunks=1, bytes=80, flagged=True)
// EXPECT: near(point("both").scores.usage, 0.5)
// EXPECT: process.live_bytes_at_end == 150 and process.allocations == 3 and process.frees == 1
// EXCLUDED: point("kept").scores.usage is None and point("kept").scores.lifetime is None
// EXCLUDED: point("kept").scores.useful_lifetime is None and point("kept").live_chunks == 1
// EXCLUDED: near(point("both").scores.usage, 0.5) and point("both").groups == 1
// EXCLUDED: total.usage.points == 1
