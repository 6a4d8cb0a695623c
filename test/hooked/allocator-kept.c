// allocator-kept.c - a library without hooks fills tables that a function of the program gave it, cleared, and that
// another one takes back: what the library does to them nobody saw, so that they are not told to be too large, nor kept
// too long, though the program's own accesses alone would say so.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -O1 -fno-inline -fno-optimize-sibling-calls -fno-omit-frame-pointer -fPIC -shared -DLIBRARY %s -o %t.lib.so
// RUN: %clang_heapprof -O1 -g %s -o %t %t.lib.so && %run %t
// RUN: %heapprof_score --json %dump/heapprof.* | %python %S/Inputs/unknown.py alloc_table | FileCheck --check-prefix=LENT %s
// RUN: %heapprof_score --findings --limit=0 %dump/heapprof.* | FileCheck %s
// LENT-COUNT-4: alloc_table: known False, usage None
// CHECK-NOT: alloc_table
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

long library_work(void *(*allocate)(size_t), void (*release)(void *));
#ifdef LIBRARY
#define SIZE 65536
static long fill(long *cells) {
  long sum = 0;
  for (int k = 0; k < SIZE / 8; k++)
    cells[k] = k;
  for (int k = 0; k < SIZE / 8; k++)
    sum += cells[k];
  return sum;
}
long library_work(void *(*allocate)(size_t), void (*release)(void *)) {
  long *tables[4], sum = 0;
  tables[0] = allocate(SIZE);
  tables[1] = allocate(SIZE);
  tables[2] = allocate(SIZE);
  tables[3] = allocate(SIZE);
  for (int turn = 0; turn < 3; turn++) {
    usleep(100000);
    for (int i = 0; i < 4; i++)
      sum += fill(tables[i]);
  }
  for (int i = 0; i < 4; i++)
    release(tables[i]);
  return sum;
}
#else
static long released;
__attribute__((noinline)) static void *alloc_table(size_t size) {
  void *table = malloc(size);
  return memset(table, 0, size);
}
__attribute__((noinline)) static void release_table(void *table) {
  released += *(long *)table;
  free(table);
}
int main(void) { return library_work(alloc_table, release_table) == released; }
#endif
