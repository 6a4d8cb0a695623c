// sampled.c - the page of a sampled run: no estimate looks exact, in any view, and errors are those of heapprof-score.
// The functions that allocate do so by a wrapper, which is no place to change anything.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: chromedriver, llvm-22
// RUN: %clang_heapprof -O1 -g %s -o %t && %env_heapprof_opts=sample_every=4 %run %t
// RUN: %heapprof_report %dump/heapprof.* -o %t.html && %heapprof_score --json %dump/heapprof.* > %t.json
// RUN: %heapprof_report --json %dump/heapprof.* > %t.report && %python %S/same_numbers.py %t.json %t.report
// RUN: %python %S/Inputs/use_sampled.py %t.html %t.json | FileCheck %s
// CHECK:      of 3000 chunks
// CHECK-NEXT: all views: estimates are marked
#include <stdlib.h>

__attribute__((noinline)) void *xmalloc(size_t size) {
  void *memory = malloc(size);
  if (!memory)
    abort();
  return memory;
}

__attribute__((noinline)) void unread(size_t size) {
  *(volatile char *)xmalloc(size) = 1; /* never freed, either */
}

__attribute__((noinline)) int used(size_t size) {
  volatile char *memory = xmalloc(size);
  *memory = 2;
  int sum = *memory;
  free((void *)memory);
  return sum;
}

__attribute__((noinline)) int resized(size_t size) {
  volatile char *memory = realloc(xmalloc(size), 2 * size);
  *memory = 3;
  int sum = *memory;
  free((void *)memory);
  return sum;
}

int main(void) {
  int sum = 0;
  for (size_t i = 0; i < 750; i++) {
    unread(100 + i % 50);
    sum += used(200 + i % 60);
    sum += resized(80 + i % 70);
  }
  return sum == 1;
}
