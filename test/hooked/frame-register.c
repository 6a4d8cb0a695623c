// frame-register.c - assembly may take the register of the frame pointer, which the wrapper asks for: as it may in a plain build.
// An operand is on the stack, where the frame pointer would find it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang -O2 %s -o %t.plain && %t.plain
// RUN: %clang_heapprof -O2 %s -o %t && %run %t
// RUN: %clang_heapprof -O2 -mllvm -heapprof-assembly=1 %s -o %t && %run %t
// RUN: %clang_heapprof -O2 -fPIC %s -o %t && %run %t
// RUN: %clang_heapprof -O2 -S -emit-llvm -o - %s | FileCheck %s
// Others have their frame pointers.
// CHECK: define {{.*}} @main(){{[^#]*}}[[MAIN:#[0-9]+]]
// CHECK-DAG: attributes [[MAIN]] = {{.*}}"frame-pointer"="all"
#include <stdlib.h>

__attribute__((noinline)) static long sum(volatile long *p, long n) {
  volatile long kept[20];
  kept[3] = n;
  kept[4] = p[1];
  __asm__ volatile("xorl %%ebp, %%ebp\n\taddq $5, %0\n\taddq %%rbp, %0"
                   : "+m"(kept[3])
                   :
                   : "rbp", "cc");
  p[2] = kept[3];
  return kept[3] + kept[4];
}

/* Does not ask its frame whether the call may be a jump: it has no pointer to it. */
__attribute__((noinline)) static void release(void (*how)(void *), void *p) {
  __asm__ volatile("xorl %%ebp, %%ebp" : : : "rbp", "cc");
  how(p);
}

int main(void) {
  long *p = calloc(4, sizeof *p);
  p[1] = 7;
  const long result = sum(p, 3) + p[2];
  release(free, p);
  return result != 15 + 8;
}
