// One access of each width and type: reads, writes and the interval.
// Volatile, so that each level makes the same accesses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: for level in -O0 -O1 -O2 -O3 -Os -Oz; do \
// RUN:   %clang_heapprof -g $level %s -o %t && %run %t && \
// RUN:   %check_counts || { echo "at $level"; exit 1; }; done
// TOTAL chunks=6+4+1+1+4+5 reads=60+50+10+4+2+0
//       writes=60+50+10+5+4+15
// OTHER chunks=0
#include <stdlib.h>

#define N 10
// N writes, then N reads.
#define FILL_AND_READ(p)                                                       \
  for (int i = 0; i < N; i++)                                                  \
    p[i] = 1;                                                                  \
  for (int i = 0; i < N; i++)                                                  \
    (void)p[i];                                                                \
  free((void *)p)

static void integers(void) {
  // POINT chunks=1 bytes=10 reads=10 writes=10 accessed=10
  volatile char *c = malloc(N * sizeof *c);
  FILL_AND_READ(c);
  // POINT chunks=1 bytes=10 reads=10 writes=10 accessed=10
  volatile _Bool *b = malloc(N * sizeof *b);
  FILL_AND_READ(b);
  // POINT chunks=1 bytes=20 reads=10 writes=10 accessed=20
  volatile short *s = malloc(N * sizeof *s);
  FILL_AND_READ(s);
  // POINT chunks=1 bytes=40 reads=10 writes=10 accessed=40
  volatile int *i4 = malloc(N * sizeof *i4);
  FILL_AND_READ(i4);
  // POINT chunks=1 bytes=80 reads=10 writes=10 accessed=80
  volatile long *l = malloc(N * sizeof *l);
  FILL_AND_READ(l);
  // POINT chunks=1 bytes=160 reads=10 writes=10 accessed=160
  volatile __int128 *w = malloc(N * sizeof *w);
  FILL_AND_READ(w);
}

static void floats(void) {
  // POINT chunks=1 bytes=40 reads=10 writes=10 accessed=40
  volatile float *f = malloc(N * sizeof *f);
  FILL_AND_READ(f);
  // POINT chunks=1 bytes=80 reads=10 writes=10 accessed=80
  volatile double *d = malloc(N * sizeof *d);
  FILL_AND_READ(d);
  // A long double has 10 bytes in a place of 16: the last ends at 9*16+10.
  // POINT chunks=1 bytes=160 reads=10 writes=10 accessed=9*16+10
  volatile long double *e = malloc(N * sizeof *e);
  FILL_AND_READ(e);
  // Real and imaginary part are two accesses each.
  // POINT chunks=1 bytes=160 reads=20 writes=20 accessed=160
  volatile _Complex double *z = malloc(N * sizeof *z);
  FILL_AND_READ(z);
}

static void pointers(void) {
  // POINT chunks=1 bytes=80 reads=10 writes=10 accessed=80
  void *volatile *p = malloc(N * sizeof *p);
  for (int i = 0; i < N; i++)
    p[i] = (void *)p;
  for (int i = 0; i < N; i++)
    (void)p[i];
  free((void *)p);
}

static void updates(void) {
  // Each of the four is one read and one write.
  // POINT chunks=1 bytes=16 reads=4 writes=5 accessed=8
  volatile int *v = malloc(4 * sizeof *v);
  v[0] = 0;
  v[0]++;
  --v[0];
  v[0] += 5;
  v[1] = v[0] * 2;
  free((void *)v);
}

static void parts(void) {
  // Elements 3 and 5: bytes 12 to 24.
  // POINT chunks=1 bytes=40 reads=1 writes=1 accessed=24-12
  volatile int *middle = malloc(N * sizeof *middle);
  middle[3] = 1;
  (void)middle[5];
  free((void *)middle);
  // POINT chunks=1 bytes=40 reads=0 writes=3 accessed=12 write_only=1
  volatile int *written = malloc(N * sizeof *written);
  written[0] = written[1] = written[2] = 1;
  free((void *)written);
  // POINT chunks=1 bytes=40 reads=1 writes=0 accessed=4 read_only=1
  volatile int *read = malloc(N * sizeof *read);
  (void)read[9];
  free((void *)read);
  // POINT chunks=1 bytes=40 reads=0 writes=0 accessed=0 unused=1
  void *volatile unused = malloc(N * sizeof(int));
  free(unused);
}

static void many(void) {
  for (int n = 1; n <= 5; n++) {
    // POINT chunks=5 bytes=1+2+3+4+5 reads=0 writes=5+4+3+2+1 accessed=15
    volatile char *p = malloc((size_t)n);
    for (int i = 0; i < n; i++)
      p[i] = 1;
    free((void *)p);
  }
}

int main(void) {
  integers();
  floats();
  pointers();
  updates();
  parts();
  many();
  return 0;
}
