/* calloc.c - calloc's zeroing is no access but a flag: the chunk is neither unused nor read-only.
   The memory is zero also where a slot is used again, small or large.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O0 -g %s -o %t && %run %t && %expect %dump
#include <stdlib.h>

static void *untouched(void) { return calloc(4, 8); }
static void *read_once(void) { return calloc(1, 10); }
static void *plain(void) { return malloc(11); }

/* Fills a slot, frees it, and reads the whole of the next one of its size. */
static int dirty_reuse(size_t size) {
  for (int round = 0; round < 200; round++) {
    char *p = malloc(size);
    for (size_t i = 0; i < size; i += 7)
      p[i] = 1;
    free(p);
    char *q = calloc(size, 1);
    for (size_t i = 0; i < size; i++)
      if (q[i])
        return 1;
    free(q);
  }
  return 0;
}

int main(void) {
  char *big = malloc(300000);
  for (size_t i = 0; i < 300000; i += 4096)
    big[i] = 1;
  free(big);
  big = calloc(3, 100000);
  for (size_t i = 0; i < 300000; i += 4096)
    if (big[i])
      return 1;
  (void)untouched();
  volatile char *p = read_once();
  (void)p[4];
  volatile char *q = plain();
  (void)q[4];
  return dirty_reuse(100) || dirty_reuse(3000) ? 2 : 0;
}
// EXPECT: (chunk(size=32).reads, chunk(size=32).writes, chunk(size=32).hi) == (0, 0, 0)
// EXPECT: "ZEROED" in chunk(size=32).flags
// EXPECT: point("untouched").inferences.unused.chunks == 0
// EXPECT: point("untouched").scores.usage == 0
// EXPECT: chunk(size=10).reads == 1 and chunk(size=10).writes == 0
// EXPECT: point("read_once").inferences.read_only.chunks == 0
// EXPECT: near(point("read_once").scores.usage, 1 / 10)
// EXPECT: chunk(size=11).flags & {"ZEROED"} == set()
// EXPECT: point("plain").inferences.read_only.chunks == 1
// EXPECT: point("plain").scores.usage == 0
