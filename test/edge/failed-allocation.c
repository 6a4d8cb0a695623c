/* failed-allocation.c - a request that cannot be met is no chunk; it is counted with its size, errno says why.
   Overflowing requests count as the greatest size; the sum saturates; bad alignments fail without ENOMEM.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O0 -g %s -o %t && %run %t 1 && %expect %dump
// RUN: %run %t 2 && %expect --prefix=OVERFLOW %dump
// RUN: %run %t 3 && %expect --prefix=ALIGNMENT %dump
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>

static void *huge(size_t size) { return malloc(size); }
static void *product(size_t n, size_t size) { return calloc(n, size); }

int main(int argc, char **argv) {
  (void)argc;
  volatile size_t half = SIZE_MAX / 2 + 1;
  errno = 0;
  switch (atoi(argv[1])) {
  case 1:
    if (huge((size_t)1 << 60) || errno != ENOMEM)
      return 1;
    errno = 0;
    if (product((size_t)1 << 30, (size_t)1 << 30) || errno != ENOMEM)
      return 2;
    return 0;
  case 2:
    if (product(half, 2) || errno != ENOMEM)
      return 1;
    if (product(2, half) || product(SIZE_MAX, SIZE_MAX))
      return 2;
    return 0;
  default: {
    void *p = &half;
    volatile size_t three = 3;
    if (posix_memalign(&p, three, 10) != EINVAL || p != &half)
      return 1;
    if (posix_memalign(&p, 64, (size_t)1 << 60) != ENOMEM || p != &half)
      return 2;
    return errno != ENOMEM; /* glibc sets it, too */
  }
  }
}
// EXPECT: process.allocations == 0 and process.failed_requests == 2
// EXPECT: process.failed_bytes == 2 * 2**60
// EXPECT: document.points == [] and process.peak_bytes == 0
// OVERFLOW: process.allocations == 0 and process.failed_requests == 3
// OVERFLOW: process.failed_bytes == MAX
// ALIGNMENT: process.allocations == 0 and process.failed_requests == 2
