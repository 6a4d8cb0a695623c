/* zero-size.c - a request of no bytes is a chunk like any other: an address of its own, recorded, counted.
   Its interval stays [0, 0) even when it is (wrongly) written to; a point of such chunks has no usage score.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O0 -g %s -o %t && %run %t && %expect %dump
// RUN: %clang_heapprof -O2 -g %s -o %t && %run %t && %expect %dump
#include <stdlib.h>

__attribute__((noinline)) static void *none(size_t size) {
  void *volatile p = malloc(size);
  return p;
}
__attribute__((noinline)) static void *none_of(size_t count, size_t size) {
  void *volatile p = calloc(count, size);
  return p;
}

int main(void) {
  void *p[4];
  for (volatile int i = 0; i < 3; i++) /* one call, three times */
    p[i] = none(0);
  p[3] = none_of(0, 8);
  for (int i = 0; i < 4; i++) {
    if (!p[i])
      return 1;
    for (int k = 0; k < i; k++)
      if (p[i] == p[k])
        return 2;
  }
  *(volatile char *)p[1] = 1; /* the slot has room, the chunk has not */
  for (int i = 0; i < 4; i++)
    free(p[i]);
  return 0;
}
// EXPECT: point("none").chunks == 3 and point("none").bytes == 0
// EXPECT: point("none").size.min == 0 and point("none").size.max == 0
// EXPECT: point("none").scores.usage is None
// EXPECT: point("none").scores.lifetime is not None
// EXPECT: point("none").scores.useful_lifetime is not None
// EXPECT: point("none").inferences.zero_size.chunks == 3
// EXPECT: point("none").inferences.zero_size.flagged
// EXPECT: point("none").writes == 1 and point("none").bytes_accessed == 0
// EXPECT: point("none").inferences.low_coverage.chunks == 0
// EXPECT: point("none_of").inferences.zero_size.chunks == 1
// EXPECT: chunk(writes=1).hi == 0 and "OVERRUN" in chunk(writes=1).flags
// EXPECT: total.usage.points == 0 and total.usage.geomean is None
