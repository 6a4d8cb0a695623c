/* realloc-as-by-hand.c - growing by realloc and growing by malloc, memcpy and free give the same counts.
   So their usage scores and inferences are equal: it does not matter which way a program grows.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O0 -g %s -o %t && %run %t && %expect %dump
#include <stdlib.h>
#include <string.h>

static void *by_realloc(void *p, size_t old, size_t size) {
  (void)old;
  return realloc(p, size);
}
static void *by_hand(void *p, size_t old, size_t size) {
  void *q = malloc(size);
  if (p) {
    memcpy(q, p, old);
    free(p);
  }
  return q;
}

static void grow(void *(*step)(void *, size_t, size_t)) {
  char *p = NULL;
  size_t old = 0;
  for (size_t size = 10; size <= 160; size *= 2) { /* 10 20 40 80 160 */
    p = step(p, old, size);
    p[size - 1] = 1;
    old = size;
  }
  free(p);
}

int main(void) {
  grow(by_realloc);
  grow(by_hand);
  return 0;
}
// EXPECT: point("by_realloc").chunks == 5 and point("by_hand").chunks == 5
// EXPECT: point("by_realloc").bytes == 310 and point("by_hand").bytes == 310
// EXPECT: point("by_realloc").reads == 4 and point("by_hand").reads == 4
// EXPECT: point("by_realloc").writes == 9 and point("by_hand").writes == 9
// EXPECT: point("by_realloc").bytes_accessed == 310 and point("by_hand").bytes_accessed == 310
// EXPECT: near(point("by_realloc").scores.usage, 150 / 310)
// EXPECT: near(point("by_hand").scores.usage, 150 / 310)
// EXPECT: point("by_realloc").inferences.growing == point("by_hand").inferences.growing
// EXPECT: point("by_hand").inferences.growing.length == 5
// EXPECT: point("by_hand").inferences.growing.copied_bytes == 150
// EXPECT: point("by_realloc").inferences.write_only == point("by_hand").inferences.write_only
// EXPECT: point("by_hand").inferences.write_only.chunks == 1
