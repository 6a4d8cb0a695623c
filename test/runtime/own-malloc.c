// own-malloc.c - a program may define malloc itself: it links and runs, and
// nothing is profiled.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang_heapprof -fno-builtin %s -o %t && %run %t 2>&1 | FileCheck %s
// CHECK: 1 of its own
// CHECK-NOT: heapprof
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char memory[1 << 20];
static size_t used;
static int calls;

void *malloc(size_t size) {
  calls++;
  char *p = memory + used;
  used += (size + 31) & ~(size_t)15;
  return p;
}
void free(void *p) { (void)p; }
void *calloc(size_t count, size_t size) { return malloc(count * size); }
void *realloc(void *p, size_t size) {
  char *moved = malloc(size);
  return p ? memmove(moved, p, size) : moved;
}

int main(void) {
  int before = calls;
  char *volatile p = malloc(10);
  free(p);
  fprintf(stderr, "%d of its own\n", calls - before);
  return 0;
}
