// Chunks above 4 GiB: sizes, offsets and intervals need more than 32 bits.
// Only the pages touched are ever there.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang_heapprof -g -O0 %s -o %t && %run %t && %check_counts
// OTHER chunks=0
#include <stdlib.h>

#define GIB (1ul << 30)

int main(void) {
  // First and last byte.
  // POINT chunks=1 bytes=6*1073741824 reads=2 writes=2 accessed=6*1073741824
  volatile char *whole = malloc(6 * GIB);
  if (!whole)
    return 1;
  whole[0] = 1;
  whole[6 * GIB - 1] = 2;
  int sum = whole[0] + whole[6 * GIB - 1];
  // Beyond 4 GiB only: 5 GiB to 5 GiB + 8.
  // POINT chunks=1 bytes=6*1073741824 reads=0 writes=1 accessed=8
  volatile char *upper = malloc(6 * GIB);
  if (!upper)
    return 1;
  *(volatile long *)(upper + 5 * GIB) = 1;
  free((void *)upper);
  free((void *)whole);
  return sum == 3 ? 0 : 1;
}
