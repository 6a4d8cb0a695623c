// errno-kept.c - hooks, interceptors and allocation leave errno as it is, and
// libc's own errors come through the interceptors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang_heapprof -w -fno-builtin %s -o %t && %run %t
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  char *volatile p = malloc(100);
  errno = 77;
  for (int i = 0; i < 100; i++)
    p[i] = (char)i;
  strcpy(p, "12345678901234567890123");
  memmove(p + 1, p, 50);
  (void)strlen(p);
  assert(errno == 77);
  errno = 77;
  assert(atoi("42") == 42 && strtol("0x1f", NULL, 16) == 31 && errno == 77);
  // What libc reports is reported.
  char *end = p;
  assert(strtol(p + 1, &end, 10) == LONG_MAX && errno == ERANGE);
  assert(*end == 0);
  errno = 0;
  end = p;
  assert(strtol("12", &end, 99) == 0 && errno == EINVAL && end == p);
  errno = 0;
  assert(read(-1, p, 10) == -1 && errno == EBADF);
  errno = 0;
  assert(open("/nonexistent/file", O_RDONLY) == -1 && errno == ENOENT);
  errno = 0;
  assert(!realpath("/nonexistent/file", NULL) && errno == ENOENT);
  errno = 77;
  char *path = realpath("/", NULL);
  assert(path && strcmp(path, "/") == 0 && errno == 77);
  free(path);
  free(p);
  assert(errno == 77);
  return 0;
}
