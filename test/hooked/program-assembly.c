// program-assembly.c - a jump of the program's from one piece of its assembly to the next goes past the hooks' labels.
// No compiler promises that it works, but it does where both stay in one function.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang -O2 %s -o %t.plain && %t.plain
// RUN: %clang_heapprof -O2 %s -o %t && %run %t
// RUN: %clang_heapprof -O2 -mllvm -heapprof-assembly=1 %s -o %t && %run %t
// RUN: %clang_heapprof -O2 -fPIC -mllvm -heapprof-inline=0 %s -o %t && %run %t
#include <stdlib.h>

struct object {
  int number[32];
};

__attribute__((noinline)) static int skip(volatile struct object *p,
                                          volatile struct object *q, int n) {
  int result = 0;
  __asm__ volatile("testl %1, %1\n\tjne 1f\n\taddl $1, %0"
                   : "+r"(result)
                   : "r"(n));
  p->number[3] = n;
  q->number[5] = n;
  p->number[9] = q->number[2];
  __asm__ volatile("addl $2, %0\n1:" : "+r"(result));
  return result;
}

int main(void) {
  struct object *p = calloc(1, sizeof *p), *q = calloc(1, sizeof *q);
  const int all = skip(p, q, 0), none = skip(p, q, 1);
  free(p);
  free(q);
  return all != 3 || none != 0;
}
