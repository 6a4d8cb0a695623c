// A type that no allocation took names nothing that comes after.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: %clang_heapprof -O2 %s -o %t && %run %t && %check_types
#include "rows.h"
#include <setjmp.h>

static jmp_buf back;
static void *cache;

__attribute__((noinline)) static void *cached(size_t n) {
  return cache ? cache : (cache = malloc(n));
}

// Returns to its caller's caller instead of allocating.
__attribute__((noinline)) static void *gives_up(size_t n) {
  if (n > 1)
    longjmp(back, 1);
  return malloc(n);
}

int main(void) {
  struct Q *first = cached(501); // TYPE 501 wrapper Q
  keep(first);
  // This allocates nothing: what follows must not be an R.
  struct R *second = cached(502);
  keep(second);
  void *after = malloc(503); // TYPE 503 -
  keep(after);
  if (setjmp(back) == 0) {
    struct Q *never = gives_up(504);
    keep(never);
  }
  void *landed = malloc(505); // TYPE 505 -
  keep(landed);
  return 0;
}
