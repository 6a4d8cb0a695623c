// frame-register.c - assembly may take the register of the frame pointer, which the wrapper asks for: as it may in a plain build.
// An operand is on the stack, where the frame pointer would find it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang -O2 %s -o %t.plain && %t.plain
// RUN: %clang_heapprof -O2 %s -o %t && %run %t
// RUN: %clang_heapprof -O2 -mllvm -heapprof-assembly=1 %s -o %t && %run %t
// RUN: %clang_heapprof -O2 '-DREGISTER="bp"' %s -o %t && %run %t
// RUN: %clang_heapprof -O2 -fPIC %s -o %t && %run %t
// RUN: %clang_heapprof -O2 -S -emit-llvm -o - %s | FileCheck %s
// Others have their frame pointers.
// CHECK: define {{.*}} @main(){{[^#]*}}[[MAIN:#[0-9]+]]
// CHECK-DAG: attributes [[MAIN]] = {{.*}}"frame-pointer"="all"
#include <stdlib.h>

#ifndef REGISTER
#define REGISTER "rbp" /* or one of its other names */
#endif

__attribute__((noinline)) static long sum(volatile long *p, long n) {
  volatile long kept[20];
  kept[3] = n;
  kept[4] = p[1];
  __asm__ volatile("xorl %%ebp, %%ebp\n\taddq $5, %0\n\taddq %%rbp, %0"
                   : "+m"(kept[3])
                   :
                   : REGISTER, "cc");
  p[2] = kept[3];
  return kept[3] + kept[4];
}

/* Does not ask its frame whether the call may be a jump: it has no pointer to it. */
__attribute__((noinline)) static void release(void (*how)(void *), void *p) {
  __asm__ volatile("xorl %%ebp, %%ebp" : : : REGISTER, "cc");
  how(p);
}

/* As many registers as there are without a frame pointer. */
__attribute__((noinline)) static long all(const long *p, long n) {
  long result = n;
  __asm__ volatile("addq %1, %0\n\taddq %14, %0"
                   : "+r"(result)
                   : "r"(p[0]), "r"(p[1]), "r"(p[2]), "r"(p[3]), "r"(p[4]),
                     "r"(p[5]), "r"(p[6]), "r"(p[7]), "r"(p[8]), "r"(p[9]),
                     "r"(p[10]), "r"(p[11]), "r"(p[12]), "r"(n + 1)
                   : "cc");
  return result;
}

int main(void) {
  long *p = calloc(16, sizeof *p);
  p[1] = 7;
  const long result = sum(p, 3) + p[2] + all(p, 10);
  release(free, p);
  return result != 15 + 8 + 21;
}
