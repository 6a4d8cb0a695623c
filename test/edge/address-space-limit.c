/* address-space-limit.c - far less address space than the heap's range: its parts are mapped where they would be.
   What does not fit is refused as the system would, and freed large chunks give their addresses back.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O0 -g %s -o %t && (ulimit -v 4000000 && %run %t) && %expect %dump
#include <stdlib.h>

#define MIB ((size_t)1 << 20)

static void *small(void) { return malloc(40); }
static void *large(void) { return malloc(3 * MIB); }
static void *again(void) { return malloc(1000 * MIB); }

int main(void) {
  volatile char *s = small();
  for (int i = 0; i < 40; i++)
    s[i] = 1;
  volatile char *l = large();
  l[MIB] = 1;
  l[3 * MIB - 1] = l[MIB];
  free((void *)s);
  free((void *)l);
  for (int i = 0; i < 5; i++) { /* 5000 MiB, but one after the other */
    volatile char *a = again();
    if (!a)
      return 1;
    a[1000 * MIB - 1] = 1;
    free((void *)a);
  }
  return malloc(5000 * MIB) != NULL;
}
// EXPECT: (chunk(size=40).lo, chunk(size=40).hi, chunk(size=40).writes) == (0, 40, 40)
// EXPECT: (chunk(size=3 * 2**20).lo, chunk(size=3 * 2**20).hi) == (2**20, 3 * 2**20)
// EXPECT: (chunk(size=3 * 2**20).reads, chunk(size=3 * 2**20).writes) == (1, 2)
// EXPECT: point("again").chunks == 5 and point("again").bytes == 5000 * 2**20
