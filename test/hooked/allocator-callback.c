/* allocator-callback.c - a library without hooks allocates by a function of the program.
   The function has hooks and the chunks are the library's: nothing that is said of their accesses is a fact.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang -O2 -fPIC -shared -DLIBRARY %s -o %t.lib.so
// RUN: %clang_heapprof -O2 %s -o %t %t.lib.so && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck %s
// CHECK: note: what is said of accesses is likely
// CHECK-NOT: Facts
#include <stdio.h>
#include <stdlib.h>

long library_work(void *(*allocate)(size_t));
#ifdef LIBRARY
long library_work(void *(*allocate)(size_t)) {
  long sum = 0;
  for (int i = 0; i < 200; i++) {
    long *cells = allocate(800);
    for (int k = 0; k < 100; k++)
      cells[k] = k;
    for (int k = 0; k < 100; k++)
      sum += cells[k];
    free(cells);
  }
  return sum;
}
#else
static void *take(size_t size) { return malloc(size); }
int main(void) {
  printf("%ld\n", library_work(take));
  return 0;
}
#endif
