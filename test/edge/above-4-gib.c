/* above-4-gib.c - chunks of more than 4 GiB, touched beyond 4 GiB: size and interval keep all their bits.
   Only the touched pages are ever backed by memory.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O0 -g %s -o %t && %run %t && %expect %dump
#include <stdint.h>
#include <stdlib.h>

#define GIB ((size_t)1 << 30)

static void *whole(void) { return malloc(5 * GIB + 3); }
static void *zeroed(void) { return calloc(9, GIB); }
static void *border(void) { return malloc(4 * GIB); }

int main(void) {
  volatile char *p = whole();
  p[4 * GIB + 7] = 1; /* lo = 4 GiB + 7 */
  p[5 * GIB + 2] = 2; /* the last byte */
  if (p[5 * GIB + 2] != 2)
    return 1;
  free((void *)p);
  volatile char *untouched = malloc(5 * GIB + 4);
  (void)untouched;
  volatile char *z = zeroed();
  if (z[8 * GIB + 1] || z[4 * GIB])
    return 2;
  volatile uint64_t *b = border();
  b[GIB / 2 - 1] = 5; /* the last 8 bytes of exactly 4 GiB */
  free((void *)b);
  volatile char *small = malloc(100);
  small[99] = 1;
  return 0;
}
// EXPECT: chunk(size=5 * 2**30 + 3).lo == 2**32 + 7 and chunk(size=5 * 2**30 + 3).hi == 5 * 2**30 + 3
// EXPECT: (chunk(size=5 * 2**30 + 3).reads, chunk(size=5 * 2**30 + 3).writes) == (1, 2)
// EXPECT: chunk(size=5 * 2**30 + 3).flags & {"OVERRUN"} == set()
// EXPECT: point("whole").bytes == 5 * 2**30 + 3 and point("whole").size.max == 5 * 2**30 + 3
// EXPECT: near(point("whole").scores.usage, (2**30 - 4) / (5 * 2**30 + 3))
// EXPECT: (chunk(size=5 * 2**30 + 4).lo, chunk(size=5 * 2**30 + 4).hi) == (0, 0)
// EXPECT: (chunk(size=9 * 2**30).lo, chunk(size=9 * 2**30).hi) == (2**32, 2**33 + 2)
// EXPECT: "ZEROED" in chunk(size=9 * 2**30).flags
// EXPECT: (chunk(size=2**32).lo, chunk(size=2**32).hi) == (2**32 - 8, 2**32)
// EXPECT: process.peak_bytes == 5 * 2**30 + 4 + 9 * 2**30 + 2**32
// EXPECT: chunk(size=100).hi == 100
