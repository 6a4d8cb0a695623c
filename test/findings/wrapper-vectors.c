// wrapper-vectors.c - the vectors and matrices of Numerical Recipes, which no name says to be allocated: who asks for one is the place, and who drops one frees.
// A vector of one size for all who call is no such, nor a function that is called for what it reads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// CHECK-NOT: {{ (d|i)(vector|matrix) \(wrapper-vectors.c:[0-9]+\) (are|allocates)}}
// CHECK-DAG: 100 chunks of {{[0-9.]+}} B (double) from first (wrapper-vectors.c:[[#@LINE+52]]) are written and never read
// CHECK-DAG: 40 chunks of {{[0-9.]+}} KiB (double) from second (wrapper-vectors.c:[[#@LINE+58]]) are written and never read
// CHECK-DAG: turn (wrapper-vectors.c:[[#@LINE+69]]) allocates {{[^:]*}}; freed by turn (wrapper-vectors.c:[[#@LINE+74]])
// CHECK-DAG: (int) from read_vector (wrapper-vectors.c:[[#@LINE+42]]) are written and never read
// CHECK-NOT: {{ (d|i)(vector|matrix) \(wrapper-vectors.c:[0-9]+\) (are|allocates)}}
#include <stdlib.h>

#define APART __attribute__((noinline))
#define NR_END 1

static APART double *dvector(long nl, long nh) {
  double *v =
      (double *)malloc((size_t)((nh - nl + 1 + NR_END) * sizeof(double)));
  if (!v)
    abort();
  return v - nl + NR_END;
}

static APART void free_dvector(double *v, long nl, long nh) {
  (void)nh;
  free(v + nl - NR_END);
}

static APART double **dmatrix(long nrl, long nrh, long ncl, long nch) {
  const long rows = nrh - nrl + 1, columns = nch - ncl + 1;
  double **m = (double **)malloc((size_t)((rows + NR_END) * sizeof(double *)));
  if (!m)
    abort();
  m += NR_END - nrl;
  m[nrl] =
      (double *)malloc((size_t)((rows * columns + NR_END) * sizeof(double)));
  if (!m[nrl])
    abort();
  m[nrl] += NR_END - ncl;
  for (long i = nrl + 1; i <= nrh; i++)
    m[i] = m[i - 1] + columns;
  return m;
}

static APART void free_dmatrix(double **m, long nrl, long ncl) {
  free(m[nrl] + ncl - NR_END);
  free(m + nrl - NR_END);
}

static APART int *read_vector(int count) {
  int *v = malloc((size_t)count * sizeof(int));
  for (int i = 0; i < count; i++)
    v[i] = i;
  return v;
}

static APART double *first(void) {
  double *v = dvector(1, 100);
  for (int i = 1; i <= 100; i++)
    v[i] = i;
  return v;
}

static APART double **second(void) {
  double **m = dmatrix(1, 10, 1, 20);
  for (int i = 1; i <= 10; i++)
    for (int k = 1; k <= 20; k++)
      m[i][k] = k;
  return m;
}

static APART double **third(void) { return dmatrix(1, 3, 1, 8); }

static APART double *fourth(void) { return dvector(0, 30); }

static APART double turn(int count) {
  double *v = dvector(1, count), sum = 0;
  for (int i = 1; i <= count; i++)
    v[i] = i;
  for (int i = 1; i <= count; i++)
    sum += v[i];
  free_dvector(v, 1, count);
  return sum;
}

static APART int *fifth(void) { return read_vector(300); }
static APART int *sixth(void) { return read_vector(200); }

static double *vectors[100], *few[100];
static double **matrices[40], **small[40];
static int *read[200];

int main(void) {
  double sum = 0;
  for (int i = 0; i < 100; i++) {
    vectors[i] = first();
    few[i] = fourth();
    read[2 * i] = fifth();
    read[2 * i + 1] = sixth();
    for (int k = 0; k <= 30; k++)
      few[i][k] = k;
    for (int k = 0; k <= 30; k++)
      sum += few[i][k];
  }
  for (int i = 0; i < 2000; i++)
    sum += turn(10 + i % 3);
  for (int i = 0; i < 40; i++) {
    matrices[i] = second();
    small[i] = third();
    for (int k = 1; k <= 3; k++)
      for (int n = 1; n <= 8; n++)
        small[i][k][n] = n;
    for (int k = 1; k <= 3; k++)
      for (int n = 1; n <= 8; n++)
        sum += small[i][k][n];
  }
  for (int i = 0; i < 40; i++) {
    free_dmatrix(matrices[i], 1, 1);
    free_dmatrix(small[i], 1, 1);
  }
  for (int i = 0; i < 100; i++) {
    free_dvector(vectors[i], 1, 100);
    free_dvector(few[i], 0, 30);
  }
  for (int i = 0; i < 200; i++)
    free(read[i]);
  return sum == 1;
}
