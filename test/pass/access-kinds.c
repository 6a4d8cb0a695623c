/* access-kinds.c - each kind of C access is counted alike at every optimisation level.
   Accesses are volatile where the optimiser could take them away; totals stand beside the code.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang -c %S/Inputs/hook-recorder.c -o %t.rec.o
// RUN: for o in -O0 -O1 -O2 -O3 -Os -Oz -O0\ -g -O2\ -g -O2\ -fPIC -O2\ -fsanitize=undefined\ -fsanitize-trap=undefined; do \
// RUN:   %clang -I%S/Inputs $o -fpass-plugin=%pass -Xclang -load -Xclang %pass -mllvm -heapprof-optimise=0 -c %s -o %t.o || exit 1; \
// RUN:   %clang %t.o %t.rec.o -o %t && %t > %t.out || exit 1; \
// RUN:   FileCheck %s < %t.out || exit 1; \
// RUN: done
// The naive form counts the same: what it adds is not heap.
// RUN: %clang -I%S/Inputs -O2 -fpass-plugin=%pass -Xclang -load -Xclang %pass -mllvm -heapprof-naive -c %s -o %t.o
// RUN: %clang %t.o %t.rec.o -o %t
// RUN: %t | FileCheck %s
#include "hook-recorder.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct pair {
  int a, b;
};
struct large {
  long word[12];
};
struct bits {
  unsigned low : 3, high : 5;
};

static void *volatile heap;
static volatile size_t two_hundred = 200;

static void scalars(void *p) {
  *(volatile char *)p = 1;
  *(volatile short *)p = 1;
  *(volatile int *)p = 1;
  *(volatile long *)p = 1;
  *(volatile double *)p = 1;
  *(volatile long double *)p = 1;
  *(volatile __int128 *)p = 1;
  (void)*(volatile int *)p;
  (void)*(volatile _Bool *)p;
}

static void updates(void *p) {
  ++*(volatile int *)p;                              /* 1 + 1 */
  __atomic_fetch_add((int *)p, 1, __ATOMIC_SEQ_CST); /* 1 + 1 */
  long expected = 0;
  __atomic_compare_exchange_n((long *)p, &expected, 1, 0, __ATOMIC_SEQ_CST,
                              __ATOMIC_SEQ_CST);                /* 1 + 1 */
  __atomic_store_n((short *)p, 1, __ATOMIC_RELEASE);            /* 0 + 1 */
  (void)__atomic_load_n((volatile short *)p, __ATOMIC_ACQUIRE); /* 1 + 0 */
  ((volatile struct bits *)p)->high = 3;                        /* 1 + 1 */
}

static long by_value(struct large l) { return l.word[3]; }
static long (*volatile called)(struct large) = by_value;

__attribute__((noinline)) static int variadic(va_list *list, int n, ...) {
  va_start(*list, n);
  int sum = va_arg(*list, int);
  va_end(*list);
  return sum;
}

int main(void) {
  char *p = heap = malloc(1000);
  // CHECK: started: 1
  recorder_watch(p, 1000);
  recorder_print(recorder_started() ? "started: 1" : "started: 0");

  // 1 + 2 + 4 + 8 + 8 + 10 + 16 written, 4 + 1 read.
  // CHECK: scalars: 2 reads 5 bytes, 7 writes 49 bytes
  recorder_watch(p, 1000);
  scalars(heap);
  recorder_print("scalars");

  // 4 + 4 + 8 + 2 + 1 read, 4 + 4 + 8 + 2 + 1 written.
  // CHECK: updates: 5 reads 19 bytes, 5 writes 19 bytes
  recorder_watch(p, 1000);
  updates(heap);
  recorder_print("updates");

  // CHECK: memset: 0 reads 0 bytes, 1 writes 200 bytes
  recorder_watch(p, 1000);
  memset(heap, 7, two_hundred);
  recorder_print("memset");

  // CHECK: memcpy: 1 reads 200 bytes, 1 writes 200 bytes
  recorder_watch(p, 1000);
  memcpy(heap, (char *)heap + 500, two_hundred);
  recorder_print("memcpy");

  // CHECK: memmove: 1 reads 200 bytes, 1 writes 200 bytes
  recorder_watch(p, 1000);
  memmove(heap, (char *)heap + 8, two_hundred);
  recorder_print("memmove");

  // A structure's copy, and the copy that passes one by value.
  // CHECK: struct: {{[0-9]+}} reads 96 bytes, {{[0-9]+}} writes 96 bytes
  recorder_watch(p, 1000);
  *(volatile struct large *)heap =
      *(volatile struct large *)((char *)heap + 96);
  recorder_print("struct");

  // CHECK: by value: {{[0-9]+}} reads 96 bytes, 0 writes 0 bytes
  recorder_watch(p, 1000);
  static volatile long sink;
  sink = called(*(volatile struct large *)heap);
  recorder_print("by value");

  // va_start writes the list; reading one int looks at it again.
  // CHECK: va_list: {{[1-9][0-9]*}} reads {{[0-9]+}} bytes, {{[2-9]}} writes {{[0-9]+}} bytes
  recorder_watch(p, sizeof(va_list));
  sink = variadic(heap, 1, 42);
  recorder_print("va_list");
  return sink == 42 ? 0 : 1;
}
