/* across-4-gib.c - two bytes on both sides of a multiple of 4 GiB are accessed: they are the interval.
   In so many chunks that most are not exact.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t && %expect %dump
#include <stdint.h>
#include <stdlib.h>

#define GIB ((size_t)1 << 30)

struct pair {
  uint16_t both;
} __attribute__((packed));

int main(void) {
  for (int i = 0; i < 200; i++) {
    char *p = malloc(6 * GIB);
    size_t border = 4 * GIB - (uint32_t)(uintptr_t)p;
    ((volatile struct pair *)(p + border - 1))->both = 6;
    free(p);
  }
  return 0;
}
// EXPECT: len(chunks(size=6 * 2**30)) == 200 and not all("EXACT" in c.flags for c in chunks(size=6 * 2**30))
// EXPECT: all(c.writes == 1 and c.hi == c.lo + 2 for c in chunks(size=6 * 2**30))
// EXPECT: all(c.t0 < c.first <= c.last for c in chunks(size=6 * 2**30))
