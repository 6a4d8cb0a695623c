/* merged-accesses.c - whatever the compiler merges, hoists or vectorises, volatile accesses count exactly.
   The same totals hold without optimisation and at -O3.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O0 -g %s -o %t && %run %t && %expect %dump
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t && %expect %dump
// RUN: %clang_heapprof -O3 -g %s -o %t && %run %t && %expect %dump
// RUN: %clang_heapprof -Os -g %s -o %t && %run %t && %expect %dump
#include <stdlib.h>

struct pair {
  int a, b;
};

__attribute__((noinline)) static void *get(size_t size) {
  void *volatile p = malloc(size);
  return p;
}

int main(void) {
  volatile int *array = get(4000);
  for (int i = 0; i < 1000; i++)
    array[i] = i; /* 1000 writes */
  int sum = 0;
  for (int i = 0; i < 1000; i += 10)
    sum += array[i]; /* 100 reads */
  volatile int *one = get(48);
  for (int i = 0; i < 500; i++)
    *one = i; /* 500 writes of the same place */
  volatile struct pair *pair = get(80);
  pair[3].a = 1;
  pair[3].b = 2;
  sum += pair[3].a + pair[3].b + pair[3].a; /* 3 reads, 2 writes */
  return sum == 0;
}
// EXPECT: (chunk(size=4000).reads, chunk(size=4000).writes) == (100, 1000)
// EXPECT: (chunk(size=4000).lo, chunk(size=4000).hi) == (0, 4000)
// EXPECT: (chunk(size=48).reads, chunk(size=48).writes, chunk(size=48).hi) == (0, 500, 4)
// EXPECT: (chunk(size=80).reads, chunk(size=80).writes) == (3, 2)
// EXPECT: (chunk(size=80).lo, chunk(size=80).hi) == (24, 32)
