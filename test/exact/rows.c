/* rows.c - several rows of one chunk walked by one loop, with bounds that only the run knows: counted as by one hook for each access.
   Heapprof counts their hull where all of it is usual.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// REQUIRES: llvm-22
// RUN: %forms %t -O1 -pthread %s && %compare %t | FileCheck %s
// RUN: %forms %t -O2 -pthread %s && %compare %t | FileCheck %s
// RUN: %forms %t -O3 -pthread %s && %compare %t | FileCheck %s
// CHECK: 244 chunks, {{[0-9]+}} reads, {{[0-9]+}} writes, 0 differ
// RUN: %clang_heapprof -O1 %s -c -o %t.o -mllvm -heapprof-stats 2>&1 | FileCheck %s --check-prefix=STATS
// STATS: HooksHull {{[1-9]}}
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define NOINLINE __attribute__((noinline))

/* As an aligner's: all rows from one pointer, none at a known distance. */
static NOINLINE void align(signed char *u, long n, long from, long to) {
  signed char *v = u + n, *x = v + n, *y = x + n;
  for (long t = from; t < to; t++) {
    signed char z = (signed char)(u[t] + v[t]);
    x[t] = z > y[t] ? z : y[t];
    y[t] = (signed char)(z - x[t]);
  }
}

/* The first row is walked backwards, the second by twos, the third lies before
   the pointer. */
static NOINLINE void ways(short *at, long n, long m, long turns) {
  for (long t = 0; t < turns; t++)
    at[n - t] = (short)(at[m + 2 * t] + at[-n + t]);
}

/* Two rows of a chunk and two of what may be another. */
static NOINLINE void pairs(int *a, long n, int *b, long m, long turns) {
  int *c = a + n, *d = a + 2 * n, *e = b + m, *f = b + 2 * m;
  for (long t = 0; t < turns; t++) {
    c[t] += a[t] + b[t];
    f[t] = d[t] ^ e[t];
  }
}

/* Longer than what a hook counts by itself. */
static NOINLINE void longer(char *a, long n, long turns) {
  char *b = a + n, *c = b + n;
  for (long t = 0; t < turns; t++)
    c[t] = (char)(a[t] + b[t]);
}

static void *again(void *u) {
  align(u, 64, 0, 64);
  align(u, 64, 9, 64);
  return NULL;
}

static signed char not_in_the_heap[4 * 64];

int main(void) {
  long sum = 0;
  for (long n = 0; n < 40; n++)
    for (int fresh = 0; fresh < 2; fresh++) {
      signed char *u = calloc((size_t)(4 * n) + 1, 1);
      short *at = calloc((size_t)(8 * n) + 2, sizeof *at);
      int *a = calloc((size_t)(3 * n) + 1, sizeof *a);
      if (!fresh)
        memset(u, 1, (size_t)(4 * n) + 1);
      for (long turn = -1; turn <= n; turn += 3) {
        align(u, n, turn, n);
        align(u, n, 0, turn);
        ways(at + n + 1, n, 2 * n, turn);
        pairs(a, n, a, n, turn);
      }
      align(not_in_the_heap, 64, n, 64);
      sum += u[n] + at[n] + a[n];
      free(a);
      free(at);
      free(u);
    }
  signed char *shared = calloc(4, 64);
  again(shared);
  pthread_t thread;
  pthread_create(&thread, NULL, again, shared);
  pthread_join(thread, NULL);
  again(shared);
  char *most = calloc(3, 100000);
  for (int turn = 0; turn < 3; turn++) {
    longer(most, 100000, 100000);
    longer(most, 100000, 7);
  }
  printf("%ld %d %d\n", sum, shared[70], most[200007]);
  free(most);
  free(shared);
}
