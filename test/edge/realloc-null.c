/* realloc-null.c - realloc(NULL, n) is malloc(n): one chunk, nothing copied, nothing freed.
   reallocarray(NULL, m, n) likewise, and its overflow is a failed request.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O0 -g %s -o %t && %run %t && %expect %dump
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

static void *from_null(void) { return realloc(NULL, 30); }
static void *array_from_null(void) { return reallocarray(NULL, 5, 7); }

int main(void) {
  volatile size_t half = SIZE_MAX / 2 + 1;
  char *p = from_null(), *q = array_from_null();
  if (!p || !q)
    return 1;
  errno = 0;
  if (reallocarray(q, half, 2) || errno != ENOMEM)
    return 2;
  q[3] = 1; /* still there */
  free(p);
  free(q);
  return 0;
}
// EXPECT: process.allocations == 2 and process.frees == 2
// EXPECT: (chunk(size=30).reads, chunk(size=30).writes, chunk(size=30).hi) == (0, 0, 0)
// EXPECT: "REALLOC" not in chunk(size=30).flags
// EXPECT: point("from_null").inferences.unused.chunks == 1
// EXPECT: (chunk(size=35).reads, chunk(size=35).writes) == (0, 1)
// EXPECT: "REALLOC" not in chunk(size=35).flags
// EXPECT: process.failed_requests == 1 and process.failed_bytes == MAX
