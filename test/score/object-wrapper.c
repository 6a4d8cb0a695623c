// object-wrapper.c - objects that a wrapper allocates are told by who called it, not by the wrapper.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --by object %dump/heapprof.* | FileCheck %s
// CHECK: allocated by {{ *}}freed by
// CHECK-NEXT: object-wrapper.c:20 {{ *}}object-wrapper.c:21 {{ *}}24B {{ *}}1000
// CHECK-NEXT: object-wrapper.c:25 {{ *}}object-wrapper.c:26 {{ *}}24B {{ *}}500
#include <stdlib.h>

static void *volatile Sink;

__attribute__((noinline)) static void *xmalloc(size_t N) {
  void *P = malloc(N);
  if (!P)
    abort();
  return P;
}

__attribute__((noinline)) static void often(void) {
  Sink = xmalloc(24);
  free(Sink);
}

__attribute__((noinline)) static void seldom(void) {
  Sink = xmalloc(24);
  free(Sink);
}

int main(void) {
  for (int I = 0; I < 1000; I++)
    often();
  for (int I = 0; I < 500; I++)
    seldom();
  Sink = NULL;
}
