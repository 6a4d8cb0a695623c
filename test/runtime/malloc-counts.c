// malloc-counts.c - what the dump says of the malloc family's edge cases
// (metrics.md section 3): failed requests, zero sizes, realloc's chain.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang_heapprof -w -fno-builtin -g %s -o %t && %run %t 2> %t.errors
// RUN: %heapprof_score --json %dump > %t.json
// RUN: %python -c 'import json, sys; p = json.load(open(sys.argv[1]))["processes"][0]; print(p["allocations"], p["frees"], p["failed_requests"], p["live_bytes_at_end"])' %t.json | FileCheck %s
// RUN: FileCheck --check-prefix=ERRORS %s < %t.errors
//
// 2 zero-sized + 1 malloc + 2 realloc = 5 chunks, all of them ended; 6 failed.
// CHECK: 5 5 6 0
//
// ERRORS: heapprof: free of 0x{{[0-9a-f]+}}, which is no live heap chunk
// ERRORS-NEXT: #0 0x{{[0-9a-f]+}} ({{.*}}malloc-counts.c.tmp+0x{{[0-9a-f]+}})
// ERRORS: heapprof: free of 0x{{[0-9a-f]+}}, which is no live heap chunk
// ERRORS: heapprof: realloc of 0x{{[0-9a-f]+}}, which is no live heap chunk
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  char local;
  free(malloc(0));
  free(calloc(0, 4));
  char *p = malloc(10);
  p = realloc(p, 1000);
  p = realloc(p, 20);
  // Failed requests: no chunk ends and none begins.
  if (realloc(p, SIZE_MAX) || malloc(SIZE_MAX) || calloc(SIZE_MAX, 2) ||
      reallocarray(p, SIZE_MAX, 2) || aligned_alloc(SIZE_MAX, 1) ||
      posix_memalign((void **)&p, 3, 1) == 0)
    return 1;
  realloc(p, 0);
  // Reported, ignored.
  free(p);
  free(&local);
  return realloc(&local, 5) != 0;
}
