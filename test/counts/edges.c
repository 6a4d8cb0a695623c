// Edge cases of docs/metrics.md: zero size, beyond the size, two chunks, length
// 0, failed requests, freeing nothing, alignment, live at the end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang_heapprof -g -O0 %s -o %t && %run %t && %check_counts
// OTHER chunks=0
// PROCESS failed_requests=4 invalid_frees=0
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void zero_size(void) {
  for (int i = 0; i < 2; i++) {
    // POINT chunks=2 bytes=0 reads=0 writes=0 accessed=0 zero_size=2 unused=2
    void *volatile none = malloc(0);
    free(none);
  }
  // A zero-size chunk that is written to all the same: counted, no interval.
  // POINT chunks=1 bytes=0 reads=0 writes=1 accessed=0 zero_size=1
  volatile char *p = malloc(0);
  p[0] = 1;
  free((void *)p);
  // POINT chunks=1 bytes=0 reads=0 writes=0 accessed=0 zero_size=1
  free(calloc(0, 8));
}

static void beyond_the_size(void) {
  // Bytes 4 to 8 of 5: the interval ends at the size.  Byte 6: no interval.
  // POINT chunks=1 bytes=5 reads=1 writes=1 accessed=1
  volatile char *p = malloc(5);
  *(volatile int *)(p + 4) = 1;
  (void)p[6];
  free((void *)p);
}

static void no_length(void) {
  volatile size_t n = 0;
  // POINT chunks=1 bytes=16 reads=0 writes=0 accessed=0 unused=1
  char *p = malloc(16);
  // POINT chunks=1 bytes=16 reads=0 writes=0 accessed=0 unused=1
  char *q = malloc(16);
  memcpy(p, q, n);
  memset(p, 1, n);
  free(p);
  free(q);
}

static void zeroed(void) {
  // Neither read-only nor unused: it was zeroed.
  // POINT chunks=1 bytes=10*4 reads=1 writes=0 accessed=4 read_only=0
  volatile int *p = calloc(10, sizeof *p);
  (void)p[9];
  free((void *)p);
  // POINT chunks=1 bytes=10*4 reads=0 writes=0 accessed=0 unused=0
  free(calloc(10, 4));
}

static int failures(void) {
  volatile size_t much = SIZE_MAX / 2 + 2, most = SIZE_MAX;
  int failed = 0;
  errno = 0;
  // POINT chunks=0 bytes=0 reads=0 writes=0 accessed=0
  void *p = malloc(most);
  failed += p == NULL && errno == ENOMEM;
  errno = 0;
  // much * 2 wraps to 4.
  // POINT chunks=0 bytes=0 reads=0 writes=0 accessed=0
  p = calloc(much, 2);
  failed += p == NULL && errno == ENOMEM;
  errno = 0;
  // POINT chunks=0 bytes=0 reads=0 writes=0 accessed=0
  p = reallocarray(NULL, much, 2);
  failed += p == NULL && errno == ENOMEM;
  errno = 0;
  // POINT chunks=0 bytes=0 reads=0 writes=0 accessed=0
  failed += posix_memalign(&p, 64, most) == ENOMEM;
  failed += errno == ENOMEM; // as glibc sets it
  return failed == 5 ? 0 : 1;
}

static int aligned(void) {
  int right = 0;
  void *p;
  // POINT chunks=1 bytes=100 reads=0 writes=1 accessed=100
  p = aligned_alloc(256, 100);
  right += (uintptr_t)p % 256 == 0;
  memset(p, 1, 100);
  free(p);
  // POINT chunks=1 bytes=100 reads=0 writes=0 accessed=0
  right += posix_memalign(&p, 4096, 100) == 0 && (uintptr_t)p % 4096 == 0;
  free(p);
  // POINT chunks=1 bytes=10 reads=0 writes=0 accessed=0
  p = memalign(64, 10);
  right += (uintptr_t)p % 64 == 0;
  free(p);
  // A megabyte's alignment, on a chunk of one byte.
  // POINT chunks=1 bytes=1 reads=0 writes=1 accessed=1
  p = aligned_alloc(1 << 20, 1);
  right += (uintptr_t)p % (1 << 20) == 0;
  *(volatile char *)p = 1;
  free(p);
  return right == 4 ? 0 : 1;
}

static void live(void) {
  // POINT chunks=3 bytes=30 reads=0 writes=3 accessed=3 live=2 live_bytes=20
  //       never_freed=2 peak=30
  char *volatile p[3] = {malloc(10), malloc(10), malloc(10)};
  for (int i = 0; i < 3; i++)
    p[i][0] = 1;
  free(p[1]);
}

int main(void) {
  zero_size();
  beyond_the_size();
  no_length();
  zeroed();
  live();
  free(NULL);
  return failures() | aligned() << 1;
}
