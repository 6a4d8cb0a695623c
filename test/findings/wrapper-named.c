// wrapper-named.c - what is called xrealloc is no place to change anything, though few call it.
// Its twin is repaired.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clang_heapprof -O1 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// RUN: %clang_heapprof -O1 -DCLONE %s -o %t.clone && %run %t.clone
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=CLONE %s
// CLONE-NOT: xrealloc grows
// CLONE: in collect grows 99 times
// CHECK-NOT: xrealloc (
// CHECK: in collect (wrapper-named.c:{{[0-9]+}}) grows 99 times
// REPAIRED: no findings
#include <stdlib.h>

#ifdef CLONE /* as gcc calls a part of it */
void *xrealloc(void *old, size_t size) __asm__("xrealloc.part.0");
#endif

__attribute__((noinline)) void *xrealloc(void *old, size_t size) {
  void *memory = realloc(old, size);
  if (!memory)
    abort();
  return memory;
}

__attribute__((noinline)) long collect(size_t most) {
  long *numbers = NULL, sum = 0;
  size_t room = 0;
  for (size_t i = 0; i < most; i++) {
    if (i == room) {
#ifdef REPAIRED
      room = most;
#else
      room += 64;
#endif
      numbers = xrealloc(numbers, room * sizeof *numbers);
    }
    numbers[i] = (long)i;
  }
  for (size_t i = 0; i < most; i++)
    sum += numbers[i];
  free(numbers);
  return sum;
}

int main(void) {
  char *name = xrealloc(NULL, 8);
  for (int i = 0; i < 8; i++)
    name[i] = (char)i;
  long sum = collect(100 * 64) + name[7];
  free(name);
  return sum == 1;
}
