/* memory-intrinsics.c - memcpy, memmove and memset are counted once, as intrinsic and as call.
   The compiler may make a call of an intrinsic and an intrinsic of a struct's copy: the counts stay.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O0 -g %s -o %t && %run %t && %expect %dump
// RUN: %clang_heapprof -O2 -g %s -o %t && %run %t && %expect %dump
// RUN: %clang_heapprof -O2 -g -fno-builtin %s -o %t && %run %t && %expect %dump
#include <stdlib.h>
#include <string.h>

struct block {
  char bytes[300];
};

__attribute__((noinline)) static void *get(size_t size) {
  void *volatile p = malloc(size);
  return p;
}

void *volatile escaped; /* so that no copy is dead or known */

int main(void) {
  volatile size_t n = 77;
  char *set = get(310), *from = get(320), *to = get(330);
  memset(set + 1, 1, n);   /* 310: 1 write of 1..77 */
  memcpy(to, from, n);     /* 320: 1 read; 330: 1 write */
  memmove(to + 10, to, n); /* 330: 1 read, 1 write: ..86 */
  struct block *a = get(340), *b = get(350);
  escaped = a;
  escaped = b;
  memset(a, 2, sizeof *a); /* 340: 1 write of 300 */
  __asm__ volatile("" ::: "memory");
  *b = *a; /* 340: 1 read; 350: 1 write */
  __asm__ volatile("" ::: "memory");
  return to[86] + b->bytes[299] == 0; /* 330: 1 read; 350: 1 read */
}
// EXPECT: (chunk(size=310).reads, chunk(size=310).writes) == (0, 1)
// EXPECT: (chunk(size=310).lo, chunk(size=310).hi) == (1, 78)
// EXPECT: (chunk(size=320).reads, chunk(size=320).writes, chunk(size=320).hi) == (1, 0, 77)
// EXPECT: (chunk(size=330).reads, chunk(size=330).writes, chunk(size=330).hi) == (2, 2, 87)
// EXPECT: (chunk(size=340).reads, chunk(size=340).writes, chunk(size=340).hi) == (1, 1, 300)
// EXPECT: (chunk(size=350).reads, chunk(size=350).writes, chunk(size=350).hi) == (1, 1, 300)
