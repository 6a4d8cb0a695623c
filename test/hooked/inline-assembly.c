/* inline-assembly.c - what assembly inside a function accesses nobody sees: the function counts as one without hooks.
   Assembly without a pointer, of a variable, or without any instruction changes nothing.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: for o in -O0 -O2; do \
// RUN:   %clang_heapprof $o %s -o %t && %run %t && \
// RUN:   %python %S/Inputs/hooked_functions.py %dump inline-assembly.c.tmp | sort > %t.out && FileCheck %s < %t.out && \
// RUN:   %heapprof_score --json %dump/heapprof.* | %python %S/Inputs/unknown.py fill | FileCheck --check-prefix=FILL %s || exit 1; done
// CHECK-NOT: fill
// CHECK: barrier
// CHECK-NEXT: counter
// CHECK-NEXT: main
// CHECK-NEXT: variable
// FILL: fill: known False, usage None
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))

NOINLINE char *fill(size_t size) {
  char *bytes = malloc(size), *at = bytes;
  __asm__ volatile("rep stosb" : "+D"(at), "+c"(size) : "a"(0) : "memory");
  return bytes;
}

NOINLINE char *barrier(char *bytes) {
  __asm__ volatile("" : : "r"(bytes) : "memory");
  return bytes;
}

NOINLINE unsigned counter(void) {
  unsigned low, high;
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
  return low ^ high;
}

NOINLINE unsigned short variable(void) {
  unsigned short word;
  __asm__ volatile("fnstcw %0" : "=m"(word));
  return word;
}

int main(void) {
  char *bytes = barrier(fill(100));
  int result = bytes[5] + (counter() == variable());
  free(bytes);
  return result != 0 && result != 1;
}
