// Results of sincos and modf, which the code generator would have libm write.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang_heapprof -g -O2 %s -o %t -lm && %run %t && %check_counts
// RUN: %clang_heapprof -g -O2 -fno-math-errno %s -o %t -lm && %run %t && %check_counts
// RUN: %clang_heapprof -g -O2 -fno-math-errno -mllvm -heapprof-naive %s -o %t -lm && %run %t && %check_counts
// OTHER chunks=0
#define _GNU_SOURCE
#include <math.h>
#include <stdlib.h>

#define N 100

struct pair {
  double a, b;
  float c, d;
};

__attribute__((noinline)) static void both(struct pair *p, double x) {
  for (int i = 0; i < N; i++) {
    p[i].a = sin(x + i);
    p[i].b = cos(x + i);
  }
}

__attribute__((noinline)) static void narrow(struct pair *p, float x) {
  for (int i = 0; i < N; i++) {
    p[i].c = sinf(x + (float)i);
    p[i].d = cosf(x + (float)i);
  }
}

__attribute__((noinline)) static void at_once(struct pair *p, double x) {
  for (int i = 0; i < N; i++)
    sincos(x + i, &p[i].a, &p[i].b);
}

__attribute__((noinline)) static void parts(struct pair *p, double x) {
  for (int i = 0; i < N; i++)
    p[i].a = modf(x + i, &p[i].b);
}

__attribute__((noinline)) static void fractions(struct pair *p, double x) {
  for (int i = 0; i < N; i++)
    p[i].a = frexp(x + i, (int *)&p[i].c);
}

int main(int argc, char **argv) {
  (void)argv;
  const double x = argc * 1.5;
  // POINT chunks=1 bytes=100*24 reads=0 writes=200 accessed=100*24-8
  struct pair *volatile p = malloc(N * sizeof *p);
  both(p, x);
  free(p);
  // POINT chunks=1 bytes=100*24 reads=0 writes=200 accessed=100*24-16
  p = malloc(N * sizeof *p);
  narrow(p, (float)x);
  free(p);
  // POINT chunks=1 bytes=100*24 reads=0 writes=200 accessed=100*24-8
  p = malloc(N * sizeof *p);
  at_once(p, x);
  free(p);
  // POINT chunks=1 bytes=100*24 reads=0 writes=200 accessed=100*24-8
  p = malloc(N * sizeof *p);
  parts(p, x);
  free(p);
  // POINT chunks=1 bytes=100*24 reads=0 writes=200 accessed=100*24-4
  p = malloc(N * sizeof *p);
  fractions(p, x);
  free(p);
  return 0;
}
