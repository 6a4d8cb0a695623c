// own-malloc.c - a program may define malloc itself: it links and runs, and is
// told once that nothing is profiled, for a child's children or without a dump not at all.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang_heapprof -fno-builtin %s -o %t && %run %t 2>&1 | FileCheck %s
// RUN: %env_heapprof_opts=dump_at_exit=0 %run %t 2>&1 | FileCheck --check-prefix=QUIET %s
// RUN: %env_heapprof_opts=only_programs=none %run %t 2>&1 | FileCheck --check-prefix=QUIET %s
// CHECK-NOT: heapprof
// CHECK: 1 of its own
// CHECK-NEXT: heapprof: the program has a malloc of its own, so what it allocates was not profiled; build it without that to profile it
// CHECK-NOT: heapprof
// QUIET-NOT: heapprof
// QUIET: 1 of its own
// QUIET-NOT: heapprof
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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
  if (fork() == 0)
    return 0;
  wait(NULL);
  return 0;
}
