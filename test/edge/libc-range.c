/* libc-range.c - a libc call is one access of its whole range for each chunk that it touches.
   read(2) writes what it got, not what it asked for; write(2) reads; a range over two chunks counts in both.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O0 -g %s -o %t && %run %t && %expect %dump
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  int fds[2];
  if (pipe(fds))
    return 1;
  char *out = malloc(60);
  memset(out, 'x', 60);                 /* 60: one write */
  if (write(fds[1], out + 5, 10) != 10) /* 60: one read */
    return 2;
  char *in = malloc(61);
  if (read(fds[0], in + 2, 50) != 10) /* 61: one write of 10 bytes */
    return 3;
  char *string = malloc(62);
  strcpy(string + 1, "four");  /* 62: one write of 5 bytes */
  if (strlen(string + 1) != 4) /* 62: one read of 5 bytes */
    return 4;
  char *left = malloc(15), *right = malloc(14);
  size_t distance = (size_t)(right - left);
  if (distance > 1000)
    return 5; /* fresh slots are handed out in order */
  volatile size_t border = distance + 4;
  char copy[1100];
  memcpy(copy, left, border); /* 15 and 14: one read each */
  volatile size_t page = 4096;
  char *big = malloc(100000);
  memset(big, 1, page);           /* 100000: one write */
  memcpy(big + 50000, big, page); /* 100000: one read, one write */
  return 0;
}
// EXPECT: (chunk(size=60).reads, chunk(size=60).writes) == (1, 1)
// EXPECT: (chunk(size=60).lo, chunk(size=60).hi) == (0, 60)
// EXPECT: (chunk(size=61).reads, chunk(size=61).writes) == (0, 1)
// EXPECT: (chunk(size=61).lo, chunk(size=61).hi) == (2, 12)
// EXPECT: (chunk(size=62).reads, chunk(size=62).writes) == (1, 1)
// EXPECT: (chunk(size=62).lo, chunk(size=62).hi) == (1, 6)
// EXPECT: (chunk(size=15).reads, chunk(size=15).lo, chunk(size=15).hi) == (1, 0, 15)
// EXPECT: (chunk(size=14).reads, chunk(size=14).lo, chunk(size=14).hi) == (1, 0, 4)
// EXPECT: (chunk(size=100000).reads, chunk(size=100000).writes, chunk(size=100000).hi) == (1, 2, 54096)
