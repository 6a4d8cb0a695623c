// calloc, realloc, reallocarray, aligned_alloc, memalign, valloc, pvalloc.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: %clang_heapprof -O2 %s -o %t && %run %t && %check_types
#define _GNU_SOURCE
#include "rows.h"
#include <malloc.h>

int main(void) {
  keep(calloc(2, sizeof(struct R))); // TYPE 48 argument R
  struct Q *cleared = calloc(3, 41); // TYPE 123 argument Q
  keep(cleared);
  keep(realloc(NULL, sizeof(struct R) + 1)); // TYPE 25 argument R
  struct Q *resized = realloc(NULL, 103);    // TYPE 103 argument Q
  keep(resized);
  struct Q *array = reallocarray(NULL, 3, 35); // TYPE 105 argument Q
  keep(array);
  keep(aligned_alloc(64, 64 * sizeof(struct R))); // TYPE 1536 argument R
  struct Q *aligned = memalign(32, 106);          // TYPE 106 argument Q
  keep(aligned);
  struct Q *page = valloc(107); // TYPE 107 argument Q
  keep(page);
  struct Q *pages = pvalloc(4095); // TYPE 4096 argument Q
  keep(pages);
  // A resized chunk of which nothing is said stays what it was.
  struct R *first = malloc(119);      // TYPE 119 argument R
  void *grown = realloc(first, 1190); // TYPE 1190 argument R
  keep(grown);
  return 0;
}
