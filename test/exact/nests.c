/* nests.c - loops in loops whose rows the compiler takes by fours and then one by one: counted as by one hook for each access.
   Heapprof counts them before the outermost loop that it can leave.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// REQUIRES: llvm-22
// RUN: %forms %t -O2 %s && %compare %t | FileCheck %s
// RUN: %forms %t -O3 %s && %compare %t | FileCheck %s
// CHECK: 937 chunks, {{[0-9]+}} reads, {{[0-9]+}} writes, 0 differ
#include <stdio.h>
#include <stdlib.h>
#define NOINLINE __attribute__((noinline))

static NOINLINE void product(double *restrict c, const double *restrict a,
                             const double *restrict b, long n) {
  for (long i = 0; i < n; i++)
    for (long k = 0; k < n; k++)
      for (long j = 0; j < n; j++)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
}

static NOINLINE void smooth(double *restrict to, const double *restrict from,
                            const double *restrict by, long n) {
  for (long y = 1; y + 1 < n; y++)
    for (long x = 1; x + 1 < n; x++)
      to[y * n + x] = from[y * n + x - 1] + from[y * n + x + 1] +
                      from[(y - 1) * n + x] * by[x];
}

/* No restrict: whether the rows overlap is asked when running. */
static NOINLINE void add(double *c, const double *a, const double *b, long n) {
  for (long y = n - 1; y >= 0; y--)
    for (long x = 0; x < n; x++)
      c[y * n + x] = a[y * n + x] + b[x * n];
}

/* Each row is longer than the one before; part of a row only if asked for. */
static NOINLINE void triangle(double *restrict c, const double *restrict a,
                              const double *restrict b, long n) {
  int also = n & 1;
  for (long y = 0; y < n; y++)
    for (long x = 0; x < y; x++) {
      c[y * n + x] = a[x];
      if (also)
        c[x] += b[y * n + x];
    }
}

/* Rows of chars, backwards, a step at a time. */
static NOINLINE void bytes(char *restrict c, const char *restrict a,
                           const char *restrict b, long n) {
  for (int round = 0; round < 3; round++)
    for (long y = n; y-- > 0;)
      for (long x = n; x-- > 0;)
        c[y * n + x] ^= a[y * n + n - 1 - x] + b[x];
}

static NOINLINE void behind(double *restrict c, const double *restrict a,
                            const double *restrict b, long n) {
  for (long y = 0;; y++) {
    for (long x = 0; x < n; x++)
      c[x] += a[x];
    if (y == n)
      break;
    for (long x = 0; x < n; x++)
      c[y * n + x] = b[y];
  }
}

typedef void nest(double *restrict, const double *restrict,
                  const double *restrict, long);

int main(void) {
  nest *const nests[] = {
      product, smooth, (nest *)add, triangle, (nest *)(void *)bytes, behind};
  double sum = 0;
  for (int which = 0; which < 6; which++)
    for (long n = 0; n < 13; n++)
      for (int turn = 0; turn < 4; turn++) {
        double *of[3];
        for (int i = 0; i < 3; i++)
          of[i] = calloc((size_t)(n * n) + 1, sizeof(double));
        if (n)
          of[1][0] = 1;
        nests[which](of[0], of[1], of[2], n);
        sum += of[0][0];
        for (int i = 0; i < 3; i++)
          free(of[i]);
      }
  printf("%g\n", sum);
  return 0;
}
