// pool-idle.c - arenas of a parser whose objects all end when a file is read, while the arenas stay; twins that give them back, and that use them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O2 -g %s -o %t && %clang_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %clang_heapprof -O2 -g -DUSED %s -o %t.used
// RUN: %run %t && %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %heapprof_score --json %dump/heapprof.* > %t.json
// RUN: %run %t.repaired && %heapprof_score --json %dump/heapprof.* > %t.repaired.json
// RUN: %python %S/Inputs/kept_promise.py pool_idle %t.json %t.repaired.json
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=NONE %s
// RUN: %run %t.used && %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=NONE %s
// CHECK: Likely:
// CHECK-SAME: 40 chunks of 64.0 KiB{{.*}} from begin_arena (pool-idle.c:{{[0-9]+}}) are kept for more than half of their life after the last of the objects in them has ended: 2.50 MiB of malloc's memory at the peak
// CHECK-SAME: -> Give the memory of the pool back
// CHECK-SAME: [pool_idle]
// NONE-NOT: {{\[pool_(idle|oversized)\]}}
#include <sanitizer/heapprof_pools.h>
#include <stdlib.h>
#include <string.h>

enum { ARENAS = 40, BLOCK = 65536, OBJECT = 1024 };

__attribute__((noinline)) static char *begin_arena(void) {
  char *volatile block = malloc(BLOCK);
  return block;
}

__attribute__((noinline)) static long parse(char *arena) {
  long sum = 0;
  for (int i = 0; i < BLOCK / OBJECT; i++) {
    char *p = arena + i * OBJECT;
    __heapprof_pool_alloc(arena, p, OBJECT);
    memset(p, i, OBJECT);
    sum += p[i];
  }
  return sum;
}

__attribute__((noinline)) static long work(volatile int *cell) {
  long sum = 0;
  for (int i = 0; i < 400000000; i++)
    sum += *cell;
  return sum;
}

int main(void) {
  char *arenas[ARENAS];
  int one = 1;
  long sum = 0;
  for (int i = 0; i < ARENAS; i++) {
    arenas[i] = begin_arena();
    sum += parse(arenas[i]);
#ifndef USED
    __heapprof_pool_clear(arenas[i]);
#endif
#ifdef REPAIRED
    free(arenas[i]);
#endif
  }
  sum += work(&one);
#ifndef REPAIRED
  for (int i = 0; i < ARENAS; i++)
    free(arenas[i]);
#endif
  return sum == 1;
}
