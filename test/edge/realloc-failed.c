/* realloc-failed.c - a realloc that cannot be met changes nothing: the chunk lives on with its contents.
   It is counted as a failed request with its size, and no copy is.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O0 -g %s -o %t && %run %t && %expect %dump
// RUN: %env_heapprof_opts=max_allocation_size_mb=1 %run %t 2000000
// RUN: %expect --prefix=LIMIT %dump
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  volatile size_t much =
      argc > 1 ? strtoull(argv[1], NULL, 10) : (size_t)1 << 62;
  char *p = malloc(50);
  p[9] = 7;
  errno = 0;
  if (realloc(p, much) != NULL || errno != ENOMEM)
    return 1;
  if (p[9] != 7)
    return 2;
  free(p);
  return 0;
}
// EXPECT: process.allocations == 1 and process.frees == 1
// EXPECT: process.failed_requests == 1 and process.failed_bytes == 2**62
// EXPECT: (chunk(size=50).reads, chunk(size=50).writes) == (1, 1)
// EXPECT: (chunk(size=50).lo, chunk(size=50).hi) == (9, 10)
// EXPECT: "REALLOC" not in chunk(size=50).flags
// LIMIT: process.failed_requests == 1 and process.failed_bytes == 2000000
// LIMIT: process.allocations == 1 and (chunk(size=50).reads, chunk(size=50).writes) == (1, 1)
