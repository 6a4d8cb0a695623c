// wrapper-arrays.c - functions that allocate arrays of one type for whoever says how long, as mafft's AllocateIntVec and AllocateIntMtx: their callers are the places.
// What makes a record of its own, with an array in it, stays one; so does what makes arrays of one size only.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// CHECK-NOT: {{alloc_(ints|rows) \(wrapper-arrays.c:[0-9]+\) (are|allocates)}}
// CHECK: Fact: 200 chunks (short) from alloc_table (wrapper-arrays.c:[[#@LINE+39]]) are written and never read
// CHECK: 200 chunks of 640 B (long) from alloc_ring (wrapper-arrays.c:[[#@LINE+30]]) are written and never read
// CHECK: 100 chunks of 400 B (int) from first (wrapper-arrays.c:[[#@LINE+44]]) are written and never read
// CHECK: 40 chunks of 600 B (int) from second (wrapper-arrays.c:[[#@LINE+49]]) are written and never read
// CHECK-NOT: {{alloc_(ints|rows) \(wrapper-arrays.c:[0-9]+\) (are|allocates)}}
#include <stdlib.h>

#define APART __attribute__((noinline))

static APART int *alloc_ints(int count) {
  int *vector = calloc((size_t)count, sizeof(int));
  if (!vector)
    abort();
  return vector;
}

static APART int **alloc_rows(int rows, int columns) {
  int **matrix = calloc((size_t)rows, sizeof(int *));
  if (!matrix)
    abort();
  for (int i = 0; i < rows; i++)
    matrix[i] = alloc_ints(columns);
  return matrix;
}

struct table {
  int count;
  short *slots;
};

static APART long *alloc_ring(void) {
  long *ring = malloc(80 * sizeof(long));
  if (!ring)
    abort();
  return ring;
}

static APART struct table *alloc_table(int count) {
  struct table *table = malloc(sizeof *table);
  if (!table || !(table->slots = malloc((size_t)count * sizeof(short))))
    abort();
  table->count = count;
  return table;
}

static APART int *first(void) {
  int *vector = alloc_ints(100);
  for (int i = 0; i < 100; i++)
    vector[i] = i;
  return vector;
}
static APART int **second(void) {
  int **matrix = alloc_rows(10, 150);
  for (int i = 0; i < 10; i++)
    for (int k = 0; k < 150; k++)
      matrix[i][k] = k;
  return matrix;
}
static APART int **third(void) { return alloc_rows(3, 8); }
static APART long *fourth(void) { return alloc_ring(); }
static APART long *fifth(void) { return alloc_ring(); }
static APART struct table *sixth(void) { return alloc_table(300); }
static APART struct table *seventh(void) { return alloc_table(400); }

static int *vectors[100];
static int **matrices[4], **small[4];
static long *rings[200];
static struct table *tables[200];

int main(void) {
  int sum = 0;
  for (int i = 0; i < 100; i++) {
    vectors[i] = first();
    rings[2 * i] = fourth();
    rings[2 * i + 1] = fifth();
    tables[2 * i] = sixth();
    tables[2 * i + 1] = seventh();
    for (int k = 0; k < 2; k++) {
      for (int n = 0; n < 80; n++)
        rings[2 * i + k][n] = n;
      for (int n = 0; n < tables[2 * i + k]->count; n++)
        tables[2 * i + k]->slots[n] = (short)n;
    }
  }
  for (int i = 0; i < 4; i++) {
    matrices[i] = second();
    small[i] = third();
    for (int k = 0; k < 3; k++)
      for (int n = 0; n < 8; n++)
        sum += small[i][k][n]++;
  }
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 10; k++)
      free(matrices[i][k]);
    for (int k = 0; k < 3; k++)
      free(small[i][k]);
    free(matrices[i]);
    free(small[i]);
  }
  for (int i = 0; i < 100; i++)
    free(vectors[i]);
  for (int i = 0; i < 200; i++) {
    free(rings[i]);
    free(tables[i]->slots);
    free(tables[i]);
  }
  return sum == 1;
}
