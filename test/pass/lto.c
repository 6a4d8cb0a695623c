/* lto.c - link-time optimisation neither loses a count nor makes one twice.
   The plugin may be given to the linker too; a module is instrumented once.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// REQUIRES: lld
// RUN: %clang -c %S/Inputs/hook-recorder.c -o %t.rec.o
// RUN: for lto in full thin; do for o in -O0 -O2 -O3; do \
// RUN:   %clang -I%S/Inputs $o -flto=$lto -fpass-plugin=%pass -Xclang -load -Xclang %pass -mllvm -heapprof-optimise=0 -c %s -o %t.o || exit 1; \
// RUN:   %clang -I%S/Inputs $o -flto=$lto -fpass-plugin=%pass -Xclang -load -Xclang %pass -mllvm -heapprof-optimise=0 -DSECOND -c %s -o %t.2.o || exit 1; \
// RUN:   for load in "" -Wl,--load-pass-plugin=%pass; do \
// RUN:     %clang $o -flto=$lto -fuse-ld=lld $load %t.o %t.2.o %t.rec.o -o %t || exit 1; \
// RUN:     %t > %t.out && FileCheck %s < %t.out || exit 1; \
// RUN:   done; done; done
// A fat object goes through two pipelines when compiled.
// RUN: for o in -O0 -O2; do \
// RUN:   %clang -I%S/Inputs $o -flto -ffat-lto-objects -fpass-plugin=%pass -Xclang -load -Xclang %pass -mllvm -heapprof-optimise=0 -c %s -o %t.o || exit 1; \
// RUN:   %clang -I%S/Inputs $o -flto -ffat-lto-objects -fpass-plugin=%pass -Xclang -load -Xclang %pass -mllvm -heapprof-optimise=0 -DSECOND -c %s -o %t.2.o || exit 1; \
// RUN:   %clang %t.o %t.2.o %t.rec.o -o %t || exit 1; \
// RUN:   %t > %t.out && FileCheck %s < %t.out || exit 1; \
// RUN:   %clang $o -flto -ffat-lto-objects -fuse-ld=lld %t.o %t.2.o %t.rec.o -o %t || exit 1; \
// RUN:   %t > %t.out && FileCheck %s < %t.out || exit 1; \
// RUN: done
#include "hook-recorder.h"
#include <stdio.h>
#include <stdlib.h>

void fill(long *p, long n);
long sum(const long *p, long n);

#ifdef SECOND
/* Inlined at link time; the empty asm keeps the loops as they are written. */
void fill(long *p, long n) {
  for (long i = 0; i < n; ++i) {
    p[i] = 0;
    __asm__ volatile("");
  }
}
long sum(const long *p, long n) {
  long s = 0;
  for (long i = 0; i < n; ++i) {
    s += p[i];
    __asm__ volatile("");
  }
  return s;
}
#else
static void *volatile heap;
int main(void) {
  long *p = heap = malloc(800);
  recorder_watch(p, 800);
  fill(heap, 100);
  // CHECK: fill: 0 reads 0 bytes, 100 writes 800 bytes
  recorder_print("fill");
  recorder_watch(p, 800);
  long s = sum(heap, 100);
  // CHECK: sum: 100 reads 800 bytes, 0 writes 0 bytes
  recorder_print("sum");
  // One constructor of two modules is left.
  // CHECK: constructors: 1
  printf("constructors: %d\n", recorder_started());
  return (int)s;
}
#endif
