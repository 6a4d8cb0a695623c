/* realloc-zero.c - realloc(p, 0) frees p and returns what the platform's libc returns: NULL with glibc.
   The chunk ends by a free, not by a realloc; no new chunk begins and errno is kept.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O0 -g %s -o %t && %run %t 2>%t.err && %expect %dump
// RUN: count 0 < %t.err
// RUN: %clang -O0 %s -o %t.plain && %t.plain
#include <errno.h>
#include <stdlib.h>

int main(void) {
  volatile size_t zero = 0;
  char *p = malloc(40);
  p[0] = 1;
  errno = 77;
  if (realloc(p, zero) != NULL || errno != 77)
    return 1;
  void *q = realloc(NULL, zero); /* malloc(0) */
  if (!q)
    return 2;
  free(q);
  return 0;
}
// EXPECT: process.allocations == 2 and process.frees == 2
// EXPECT: (chunk(size=40).reads, chunk(size=40).writes) == (0, 1)
// EXPECT: chunk(size=40).flags & {"REALLOC", "LIVE"} == set()
// EXPECT: chunk(size=0).flags & {"REALLOC", "LIVE"} == set()
// EXPECT: process.invalid_frees == 0 and process.failed_requests == 0
