// qsort and bsearch call the program's comparator exactly as often as they do
// without heapprof; the comparator's reads and the sort's own pass are counted.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang_heapprof -g -O0 %s -o %t && %run %t && %check_counts
// OTHER chunks=0
#include <stdlib.h>

static int calls;

static int compare(const void *a, const void *b) {
  calls++;
  return *(const int *)a - *(const int *)b;
}

static int sort_two(void) {
  // Written: 2.  The comparison reads 2; the sort reads and writes all at once.
  // POINT chunks=1 bytes=8 reads=2+1 writes=2+1 accessed=8
  int *v = malloc(2 * sizeof *v);
  v[0] = 2;
  v[1] = 1;
  calls = 0;
  qsort(v, 2, sizeof *v, compare);
  free(v);
  return calls == 1;
}

static int search_one(void) {
  static const int key = 5;
  // POINT chunks=1 bytes=4 reads=1 writes=1 accessed=4
  int *v = malloc(sizeof *v);
  v[0] = 5;
  calls = 0;
  int *found = bsearch(&key, v, 1, sizeof *v, compare);
  int right = found == v && calls == 1;
  free(v);
  return right;
}

static int sort_nothing(void) {
  // POINT chunks=1 bytes=8 reads=0 writes=0 accessed=0
  int *v = malloc(2 * sizeof *v);
  calls = 0;
  qsort(v, 0, sizeof *v, compare);
  free(v);
  return calls == 0;
}

int main(void) { return sort_two() && search_one() && sort_nothing() ? 0 : 1; }
