/* access-spanning-two-chunks.c - one load over the border of two neighbouring chunks.
   It belongs to the chunk that owns its first byte and is clamped at its end; the second chunk sees nothing.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O0 -g %s -o %t && %run %t && %expect %dump
#include <stdint.h>
#include <stdlib.h>

typedef char wide __attribute__((vector_size(64), aligned(1)));
static void *left(void) { return malloc(16); }
static void *right(void) { return malloc(15); }

int main(void) {
  char *l = left(), *r = right();
  if (r < l || r > l + sizeof(wide))
    return 1; /* the test needs neighbours: fresh slots are handed out in order */
  (void)*(volatile wide *)(l + 12);
  *(volatile uint32_t *)(l + 14) = 1;
  return 0;
}
// EXPECT: (chunk(size=16).lo, chunk(size=16).hi) == (12, 16)
// EXPECT: (chunk(size=16).reads, chunk(size=16).writes) == (1, 1)
// EXPECT: "OVERRUN" in chunk(size=16).flags
// EXPECT: (chunk(size=15).reads, chunk(size=15).writes, chunk(size=15).hi) == (0, 0, 0)
// EXPECT: chunk(size=15).flags & {"OVERRUN"} == set()
// EXPECT: point("right").inferences.unused.chunks == 1
