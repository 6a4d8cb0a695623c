/* access-of-length-zero.c - libc calls and intrinsics over no bytes are no access.
   The same calls over one byte are, so that the test would notice if nothing were counted at all.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O0 -g %s -o %t && %run %t && %expect %dump
// RUN: %clang_heapprof -O2 -g %s -o %t && %run %t && %expect %dump
// RUN: %clang_heapprof -O1 -g -fno-builtin %s -o %t && %run %t && %expect %dump
#include <sanitizer/heapprof_interface.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile int sink;
void *volatile escaped; /* so that no store is dead */

static void touch(char *p, const char *q, size_t n, int fd) {
  memcpy(p, q, n);
  memmove(p, q, n);
  memset(p, 1, n);
  sink = memcmp(p, q, n);
  sink = memchr(p, 7, n) != NULL;
  sink = strncmp(p, q, n);
  if (write(fd, p, n) != (ssize_t)n)
    exit(1);
  __heapprof_record_read(p, n);
  __heapprof_record_write(p, n);
}

int main(void) {
  volatile size_t zero = 0, one = 1;
  int fds[2];
  if (pipe(fds))
    return 1;
  char *p = malloc(40), *q = malloc(41), *r = malloc(42);
  touch(p, q, zero, fds[1]);
  escaped = r;
  memset(r, 1, one);
  if (write(fds[1], r, one) != 1 || read(fds[0], r, zero) != 0 ||
      read(fds[0], r, one) != 1)
    return 1;
  memcpy(r, r + 2, one);
  return 0;
}
// EXPECT: (chunk(size=40).reads, chunk(size=40).writes, chunk(size=40).hi) == (0, 0, 0)
// EXPECT: (chunk(size=41).reads, chunk(size=41).writes, chunk(size=41).hi) == (0, 0, 0)
// EXPECT: (chunk(size=42).reads, chunk(size=42).writes) == (2, 3)
// EXPECT: (chunk(size=42).lo, chunk(size=42).hi) == (0, 3)
