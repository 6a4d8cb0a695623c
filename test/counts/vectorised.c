// Loops that the compiler vectorises: one access for each vector, not element.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// REQUIRES: avx2
// RUN: %clang_heapprof -g -O3 -mavx2 %s -o %t && %run %t && %check_counts
// OTHER chunks=0
#include <stdlib.h>

#define N 64
#define VECTORISE                                                              \
  _Pragma("clang loop vectorize_width(8) interleave_count(1) unroll(disable)")

// Apart from main, so that sizes and distances are not known.
__attribute__((noinline)) static void
add(int *restrict to, const int *restrict a, const int *restrict b, int n) {
  VECTORISE
  for (int i = 0; i < n; i++)
    to[i] = a[i] + b[i];
}

__attribute__((noinline)) static void
choose(int *restrict to, const int *restrict a, const int *restrict b, int n) {
  VECTORISE
  for (int i = 0; i < n; i++)
    if (a[i] & 4)
      to[i] = b[i];
}

int main(void) {
  // 64 elements are 8 vectors.  a[i] & 4 holds for the lanes 4 to 7 of each
  // vector: b is read and the result written by masked accesses of 16 bytes.
  // POINT chunks=1 bytes=64*4 reads=8+8 writes=64 accessed=64*4
  int *volatile a = malloc(N * sizeof *a);
  // POINT chunks=1 bytes=64*4 reads=8+8 writes=64 accessed=64*4
  int *volatile b = malloc(N * sizeof *b);
  // POINT chunks=1 bytes=64*4 reads=0 writes=8 accessed=64*4
  int *volatile sum = malloc(N * sizeof *sum);
  // POINT chunks=1 bytes=64*4 reads=0 writes=8 accessed=64*4-16
  int *volatile some = malloc(N * sizeof *some);
  for (int i = 0; i < N; i++) {
    ((volatile int *)a)[i] = i;
    ((volatile int *)b)[i] = i;
  }
  add(sum, a, b, N);
  choose(some, a, b, N);
  free(a);
  free(b);
  free(sum);
  free(some);
  return 0;
}
