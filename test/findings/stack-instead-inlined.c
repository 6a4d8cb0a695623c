// stack-instead-inlined.c - a helper that allocates is inlined into the function that frees: that one is told to have a variable,
// not the helper, which frees nothing.  Of a scratch buffer that the helper has for itself it is the helper.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// CHECK-NOT: make_limbs ({{[^)]*}}) allocates
// CHECK-DAG: multiply (stack-instead-inlined.c:[[@LINE+24]]) allocates unsigned long of 320 B for itself, and frees each, it seems in the same call, {{[^>]*}} -> Use a variable on the stack: 320 B are enough. multiply {{[^ ]*}} called by main
// CHECK-DAG: digits (stack-instead-inlined.c:[[@LINE+12]]) allocates int of 96 B for itself, and frees each, it seems in the same call
#include <stdlib.h>

static inline __attribute__((always_inline)) unsigned long *
make_limbs(size_t count) {
  unsigned long *limbs = malloc(count * sizeof *limbs);
  if (!limbs)
    abort();
  return limbs;
}

static inline __attribute__((always_inline)) int digits(unsigned long value) {
  int *seen = calloc(24, sizeof *seen);
  int sum = 0;
  for (; value; value /= 10)
    seen[value % 10]++;
  for (int i = 0; i < 10; i++)
    sum += seen[i] > 1;
  free(seen);
  return sum;
}

__attribute__((noinline)) static unsigned long multiply(unsigned long by) {
  unsigned long *limbs = make_limbs(40), sum = 0;
  for (unsigned i = 0; i < 40; i++)
    limbs[i] = by * i;
  for (unsigned i = 0; i < 40; i++)
    sum ^= limbs[i] >> (by % 7);
  free(limbs);
  return sum;
}

__attribute__((noinline)) static int count(unsigned long value) {
  return digits(value) + 1;
}

int main(void) {
  unsigned long sum = 0;
  for (unsigned i = 0; i < 3000; i++)
    sum += multiply(i) + (unsigned long)count(i * 12345u);
  return sum == 1;
}
