// pool-oversized.c - a pool for each connection, of a page, in which some hundred bytes ever live; twins with small ones, and with many objects.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O2 -g %s -o %t && %clang_heapprof -O2 -g -DBLOCK=256 %s -o %t.repaired && %clang_heapprof -O2 -g -DOBJECTS=24 %s -o %t.full
// RUN: %run %t && %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %heapprof_score --json %dump/heapprof.* > %t.json
// RUN: %run %t.repaired && %heapprof_score --json %dump/heapprof.* > %t.repaired.json
// RUN: %python %S/Inputs/kept_promise.py pool_oversized %t.json %t.repaired.json
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=NONE %s
// RUN: %run %t.full && %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=NONE %s
// CHECK: Likely:
// CHECK-SAME: 3000 chunks of 4.00 KiB{{.*}} from connect (pool-oversized.c:{{[0-9]+}}) are cut up into objects, but have 16.0 times the bytes of what lives at once in them: 3.68 MiB of malloc's memory at the peak
// CHECK-SAME: -> Take smaller chunks for the pool
// CHECK-SAME: [pool_oversized]
// NONE-NOT: {{\[pool_(idle|oversized)\]}}
#include <sanitizer/heapprof_pools.h>
#include <stdlib.h>
#include <string.h>

#ifndef BLOCK
#define BLOCK 4096
#endif
#ifndef OBJECTS
#define OBJECTS 2
#endif
enum { CONNECTIONS = 1000, OBJECT = 128 };

__attribute__((noinline)) static char *connect(void) {
  char *volatile pool = malloc(BLOCK);
  return pool;
}

__attribute__((noinline)) static long serve(char *pool) {
  long sum = 0;
  for (int i = 0; i < OBJECTS; i++) {
    char *p = pool + i * OBJECT;
    __heapprof_pool_alloc(pool, p, OBJECT);
    memset(p, i, OBJECT);
    sum += p[i];
  }
  return sum;
}

int main(void) {
  char *pools[CONNECTIONS];
  long sum = 0;
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < CONNECTIONS; i++) {
      pools[i] = connect();
      sum += serve(pools[i]);
    }
    for (int i = 0; i < CONNECTIONS; i++) {
      __heapprof_pool_clear(pools[i]);
      free(pools[i]);
    }
  }
  return sum == 1;
}
