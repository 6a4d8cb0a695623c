// mcheck.c - a program that asks libc to check its heap is told what libc tells.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang -w -O1 %s -o %t.plain && %clang_heapprof -w -O1 %s -o %t
// RUN: %t.plain > %t.expected && %run %t > %t.out && diff %t.expected %t.out
#include <mcheck.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  printf("%d ", mcheck(NULL));
  void *volatile p = malloc(10);
  printf("%d %d %d\n", mcheck(NULL), mcheck_pedantic(NULL), mprobe(p));
  return 0;
}
