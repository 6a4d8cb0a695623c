/* atomic.c - an atomic update is one read and one write, whether a compare-exchange succeeds or not.
   An atomic load is one read, an atomic store one write.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O0 -g %s -o %t && %run %t && %expect %dump
// RUN: %clang_heapprof -O2 -g %s -o %t && %run %t && %expect %dump
#include <stdatomic.h>
#include <stdlib.h>

static volatile int sink;

int main(void) {
  _Atomic int *add = malloc(10 * sizeof(int)); /* 40 bytes */
  atomic_fetch_add(add + 1, 1);
  atomic_fetch_or(add + 2, 1);
  sink = atomic_exchange(add + 3, 1);
  _Atomic int *compare = malloc(11 * sizeof(int)); /* 44 bytes */
  atomic_store(compare, 5);
  int expected = 5;
  if (!atomic_compare_exchange_strong(compare, &expected, 6))
    return 1;
  if (atomic_compare_exchange_strong(compare, &expected, 7))
    return 2;
  _Atomic long *plain = malloc(12 * sizeof(int)); /* 48 bytes */
  atomic_store(plain + 1, 1);
  sink = (int)atomic_load(plain + 1);
  sink = (int)atomic_load_explicit(plain + 1, memory_order_relaxed);
  return 0;
}
// EXPECT: (chunk(size=40).reads, chunk(size=40).writes) == (3, 3)
// EXPECT: (chunk(size=40).lo, chunk(size=40).hi) == (4, 16)
// EXPECT: (chunk(size=44).reads, chunk(size=44).writes) == (2, 3)
// EXPECT: (chunk(size=44).lo, chunk(size=44).hi) == (0, 4)
// EXPECT: (chunk(size=48).reads, chunk(size=48).writes) == (2, 1)
// EXPECT: (chunk(size=48).lo, chunk(size=48).hi) == (8, 16)
