// _FORTIFY_SOURCE turns libc calls into their checking forms: the counts are
// those of the plain ones.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: for level in 1 2 3; do \
// RUN:   %clang_heapprof -g -O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=$level %s \
// RUN:     -o %t && %run %t 100 && \
// RUN:   %check_counts || { echo "at $level"; exit 1; }; done
// OTHER chunks=0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
  if (argc != 2)
    return 1;
  size_t n = (size_t)atoi(argv[1]), half = n / 2;
  // memset 100, memcpy reads 50, snprintf reads 4 ("abc").
  // POINT chunks=1 bytes=100 reads=2 writes=2 accessed=100
  char *from = malloc(n);
  // memcpy, memmove, snprintf ("abc" and 0), strcpy, strcat: 5 written; strcat
  // reads what is there.
  // POINT chunks=1 bytes=100 reads=1 writes=5 accessed=50
  char *volatile target = malloc(n);
  char *to = target;
  memset(from, 'a', n);
  memcpy(to, from, half);
  memmove(to, argv[1], 3);
  memcpy(from, "abc", 4);
  snprintf(to, half, "%s", from);
  strcpy(to, argv[1]);
  strcat(to, argv[1]);
  int right = ((volatile char **)&target)[0] == to;
  free(from);
  free(to);
  return right ? 0 : 2;
}
