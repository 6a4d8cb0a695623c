/* no-unwind-tables.c - a program that asks for no unwind tables has whole stacks all the same, as busybox.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: for o in -fno-asynchronous-unwind-tables "-fno-unwind-tables -fno-asynchronous-unwind-tables"; do \
// RUN:   %clang_heapprof -Os -g -fomit-frame-pointer $o %s -o %t && %run %t && \
// RUN:   %heapprof_score --stacks %dump/heapprof.* | FileCheck %s || exit 1; done
// CHECK:      #0 {{.*}}allocate {{.*}}no-unwind-tables.c
// CHECK-NEXT: #1 {{.*}}make_list {{.*}}no-unwind-tables.c
// CHECK-NEXT: #2 {{.*}}main {{.*}}no-unwind-tables.c
#include <stdlib.h>

__attribute__((noinline)) static void *allocate(size_t size) {
  void *bytes = malloc(size);
  if (!bytes && size)
    abort();
  return bytes;
}

__attribute__((noinline)) static int *make_list(int count) {
  int *list = allocate(sizeof(int) * (size_t)count);
  for (int i = 0; i < count; i++)
    list[i] = i;
  return list;
}

int main(int count, char **arguments) {
  (void)arguments;
  int *list = make_list(count + 99);
  const int last = list[count + 98];
  free(list);
  return last == 0;
}
