/* ahead.c - tables of which the program keeps where their number 0 were: as far ahead of a table as it has bytes, where
   each has as many elements as all before, or one element ahead; beside them what nothing names.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t && %check_leaks
// RUN: %clang_heapprof -O0 -g %s -o %t && %run %t && %check_leaks
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %clang -O1 -g %s -o app
// RUN: cd %t.d && %heapprof_run ./app && %heapprof_score --json --limit 0 heapprof.app.* | %python %S/../run/Inputs/lost.py doubling held one_based on_stack forgotten | FileCheck %s
// RUN: cd %t.d && %heapprof_run -o own --allocator=program ./app && %heapprof_score --json --limit 0 own/heapprof.app.* | %python %S/../run/Inputs/lost.py doubling held one_based on_stack forgotten | FileCheck %s
// CHECK: doubling: 10 chunks, 0 lost
// CHECK: held: 10 chunks, 0 lost
// CHECK: one_based: 8 chunks, 0 lost
// CHECK: on_stack: 1 chunks, 0 lost
// CHECK: forgotten: 40 chunks, at least 36 lost
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define KIND(name)                                                             \
  __attribute__((noinline)) static void *name(size_t size) {                   \
    void *volatile chunk = calloc(1, size);                                    \
    return chunk;                                                              \
  }
KIND(doubling)  // LEAK doubling reachable=10
KIND(held)      // LEAK held reachable=10
KIND(one_based) // LEAK one_based reachable=8
KIND(on_stack)  // LEAK on_stack reachable=1
KIND(forgotten) // LEAK forgotten lost=40
KIND(last)      // may still be in a register that nobody uses

#define FIRST 4
#define END 14
static void **tables[END]; /* number N has elements 2^N to 2^(N+1) - 1 */
static double *vectors[8];

__attribute__((noinline)) static void fill(void) {
  for (size_t i = FIRST; i < END; i++) {
    const size_t count = (size_t)1 << i;
    void **table = doubling(count * sizeof *table);
    tables[i] = table - count;
    tables[i][count] = held(100);
    forgotten(count * sizeof *table);
  }
  for (size_t i = 0; i < 8; i++) {
    vectors[i] = (double *)one_based((10 + 50 * i) * sizeof(double)) - 1;
    forgotten(80 + 400 * i);
  }
  for (size_t i = 0; i < 22; i++)
    forgotten(40 + i);
  void *p = last(40);
  __asm__ volatile("" : : "r"(p) : "memory");
}

/* What was on the stack below is not there any more. */
__attribute__((noinline)) static void sweep(void) {
  volatile char room[1 << 16];
  memset((char *)room, 0, sizeof room);
}

int main(void) {
  fill();
  float *volatile numbers = (float *)on_stack(400) - 1;
  sweep();
  numbers[1] = 1;
  exit(0);
}
