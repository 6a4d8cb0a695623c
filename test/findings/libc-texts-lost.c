// libc-texts-lost.c - texts that libc makes for the program, and that it never frees: the remedy is free, no function of a library.
// Its twin frees them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clang_heapprof -O1 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=REPAIRED %s
// CHECK-DAG: 500 chunks of {{[^>]*}} from a library called by formatted (libc-texts-lost.c:[[#]]) are lost: {{[^>]*}}-> Free each when it is no longer needed.
// CHECK-DAG: 500 chunks of {{[^>]*}} from a library called by path (libc-texts-lost.c:[[#]]) are lost: {{[^>]*}}-> Free each when it is no longer needed.
// CHECK-NOT: Call the library's function
// REPAIRED-NOT: are lost
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define ALONE __attribute__((noinline)) static

#ifdef REPAIRED
#define DROP free
#else
#define DROP(text)
#endif

/* As gnulib has it. */
__attribute__((noinline)) char *xasprintf(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *text;
  if (vasprintf(&text, format, arguments) < 0)
    abort();
  va_end(arguments);
  return text;
}

ALONE size_t formatted(int i) {
  char *text = xasprintf("%05d", i);
  size_t length = strlen(text);
  DROP(text);
  return length;
}

ALONE size_t path(void) {
  char *found = realpath("/etc/../etc", NULL);
  size_t length = strlen(found);
  DROP(found);
  return length;
}

int main(void) {
  size_t sum = 0;
  for (int i = 0; i < 500; i++)
    sum += formatted(i) + path();
  char gone[256]; /* where the last pointers were */
  memset(gone, 1, sizeof gone);
  __asm__ volatile("" : : "r"(gone) : "memory");
  return sum == 1;
}
