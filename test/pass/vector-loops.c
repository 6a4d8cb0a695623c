/* vector-loops.c - a vectorised loop's lanes are counted as the scalar loop's accesses.
   Masked loads and stores, gathers and scatters, as the vectoriser makes them.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang -c %S/Inputs/hook-recorder.c -o %t.rec.o
// RUN: %clang -I%S/Inputs -O1 -fpass-plugin=%pass -Xclang -load -Xclang %pass -mllvm -heapprof-optimise=0 %s %t.rec.o -o %t
// RUN: %t > %t.scalar
// RUN: FileCheck %s < %t.scalar
// A processor without the instructions leaves nothing to compare.
// RUN: for cpu in v3 v4; do \
// RUN:   %clang -I%S/Inputs -O3 -march=x86-64-$cpu -fpass-plugin=%pass -Xclang -load -Xclang %pass -mllvm -heapprof-optimise=0 -S -emit-llvm %s -o %t.ll || exit 1; \
// RUN:   FileCheck %s --check-prefix=IR-$cpu < %t.ll || exit 1; \
// RUN:   %clang -I%S/Inputs -O3 -march=x86-64-$cpu -fpass-plugin=%pass -Xclang -load -Xclang %pass -mllvm -heapprof-optimise=0 %s %t.rec.o -o %t.$cpu || exit 1; \
// RUN:   if %t $cpu; then %t.$cpu > %t.vector && diff %t.scalar %t.vector || exit 1; fi; \
// RUN: done
// IR-v3: call void @__heapprof_masked(
// IR-v4: call void @__heapprof_lanes(
#include "hook-recorder.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1003 };

__attribute__((noinline)) static void some(int *restrict a,
                                           const int *restrict b, int n) {
  for (int i = 0; i < n; ++i)
    if (b[i] > 3)
      a[i] = 7;
}

__attribute__((noinline)) static long gather(const long *restrict t,
                                             const int *restrict at, int n) {
  long s = 0;
  for (int i = 0; i < n; ++i)
    s += t[at[i]];
  return s;
}

__attribute__((noinline)) static void scatter(int *restrict t,
                                              const int *restrict at, int n) {
  for (int i = 0; i < n; ++i)
    t[at[i]] = i;
}

static int index_of[N];

int main(int argc, char **argv) {
  __builtin_cpu_init();
  if (argc > 1)
    return strcmp(argv[1], "v4") ? !__builtin_cpu_supports("avx2")
                                 : !__builtin_cpu_supports("avx512vl");

  int *a = calloc(N, sizeof *a), *b = calloc(N, sizeof *b);
  long *t = calloc(N, sizeof *t);
  for (int i = 0; i < N; ++i) {
    b[i] = i % 7;
    index_of[i] = i * 5 % N;
  }

  // i % 7 > 3 for 3 of each 7: 1003 = 143 * 7 + 2, so 429 times.
  // CHECK: some: 0 bytes read, 1716 bytes written
  recorder_watch(a, N * sizeof *a);
  some(a, b, N);
  recorder_print_bytes("some");

  // CHECK: gather: 8024 bytes read, 0 bytes written
  recorder_watch(t, N * sizeof *t);
  long s = gather(t, index_of, N);
  recorder_print_bytes("gather");

  // CHECK: scatter: 0 bytes read, 4012 bytes written
  recorder_watch(a, N * sizeof *a);
  scatter(a, index_of, N);
  recorder_print_bytes("scatter");
  return (int)s;
}
