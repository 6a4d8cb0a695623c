// realloc ends one chunk and begins another: the copy is one read of the old
// and one write of the new, over the shorter of both sizes; moved or not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: for level in -O0 -O1 -O2 -O3 -Os -Oz; do \
// RUN:   %clang_heapprof -g $level %s -o %t && %run %t && \
// RUN:   %check_counts || { echo "at $level"; exit 1; }; done
// OTHER chunks=0
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

static void growth(void) {
  // One element written; read by the first realloc.
  // POINT chunks=1 bytes=4 reads=1 writes=1 accessed=4
  volatile int *v = malloc(sizeof *v);
  v[0] = 0;
  int capacity = 1;
  for (int i = 1; i < 100; i++) {
    if (i == capacity) {
      capacity *= 2;
      // Sizes 8, 16, ..., 512: 7 chunks.  Of each a copy in (half of it) and
      // the elements of its other half written; all but the last are read by
      // the next copy.  The last gets the elements 64 to 99.
      // POINT chunks=7 bytes=8+16+32+64+128+256+512 reads=6
      //       writes=7+1+2+4+8+16+32+36 accessed=8+16+32+64+128+256+100*4
      //       growing=7
      v = realloc((void *)v, (size_t)capacity * sizeof *v);
    }
    v[i] = i;
  }
  free((void *)v);
}

static void smaller_and_same(void) {
  // POINT chunks=1 bytes=100 reads=1 writes=1 accessed=40
  volatile char *p = malloc(100);
  p[0] = 1;
  // Shrunk to 40: read and written over 40 bytes.  Then the same size.
  // POINT chunks=1 bytes=40 reads=1+1 writes=1 accessed=40
  p = realloc((void *)p, 40);
  (void)p[39];
  // POINT chunks=1 bytes=40 reads=1 writes=1 accessed=40
  p = realloc((void *)p, 40);
  (void)p[0];
  free((void *)p);
}

static void of_null(void) {
  void *volatile null = NULL;
  // POINT chunks=1 bytes=10 reads=0 writes=0 accessed=0 unused=1
  void *volatile p = realloc(null, 10);
  free(p);
}

static int to_zero(void) {
  // Frees, as the platform's libc does, and begins no chunk; nothing is copied.
  // POINT chunks=1 bytes=10 reads=0 writes=1 accessed=1 live=0
  volatile char *p = malloc(10);
  p[0] = 1;
  volatile size_t none = 0;
  // POINT chunks=0 bytes=0 reads=0 writes=0 accessed=0
  void *volatile q = realloc((void *)p, none);
  return q == NULL ? 0 : 1;
}

static int failing(void) {
  // A realloc that fails changes nothing: the chunk lives on, nothing is read.
  // POINT chunks=1 bytes=10 reads=1 writes=1 accessed=1 live=0
  volatile char *p = malloc(10);
  p[0] = 3;
  volatile size_t much = SIZE_MAX / 2;
  errno = 0;
  // POINT chunks=0 bytes=0 reads=0 writes=0 accessed=0
  void *volatile q = realloc((void *)p, much);
  int right = q == NULL && errno == ENOMEM && p[0] == 3;
  free((void *)p);
  return right ? 0 : 1;
}

static void of_calloc(void) {
  // calloc's zeroing is no access; the copy reads it.
  // POINT chunks=1 bytes=8*4 reads=1 writes=0 accessed=32
  volatile char *p = calloc(8, 4);
  // POINT chunks=1 bytes=64 reads=1 writes=1 accessed=32
  p = realloc((void *)p, 64);
  (void)p[31];
  free((void *)p);
}

static void by_array(void) {
  // POINT chunks=1 bytes=12 reads=1 writes=0 accessed=12
  void *volatile p = malloc(12);
  // POINT chunks=1 bytes=10*6 reads=0 writes=1 accessed=12
  p = reallocarray(p, 10, 6);
  free(p);
}

int main(void) {
  growth();
  smaller_and_same();
  of_null();
  of_calloc();
  by_array();
  return to_zero() | failing() << 1;
}
