// object-wrapper.c - objects are told by who called the wrappers that allocate and free them, not by the wrappers.
// What freed the later chunks of a point is likely the caller that freed its first ones: so says the ~, unless each free's stack was kept.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --by object %dump/heapprof.* | FileCheck %s
// CHECK: allocated by {{ *}}freed by
// CHECK-NEXT: object-wrapper.c:[[#]] {{ *}}~object-wrapper.c:[[#OFTEN:]] {{ *}}24B {{ *}}1000
// CHECK-NEXT: object-wrapper.c:[[#]] {{ *}}object-wrapper.c:[[#]] {{ *}}24B {{ *}}500
// CHECK-NEXT: object-wrapper.c:[[#]] {{ *}}~object-wrapper.c:[[#OFTEN+5]] {{ *}}24B {{ *}}300
// CHECK: ~: the caller of some of its chunks; free_stacks=1 tells all
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && HEAPPROF_OPTIONS=free_stacks=1 %t && %heapprof_score --json heapprof.* > json
// RUN: cd %t.d && %python -c "import json; print(*((o['freed_by']['function'], o['frequency'], o['freed_by_others_too']) for o in json.load(open('json'))['objects'] if o['size'] == 24))" | FileCheck %s --check-prefix=SURE
// SURE: ('often', 1000, False) ('seldom', 500, False) ('rarely', 300, False)
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %clang -O1 -g %s -o %t.plain && %heapprof_run %t.plain 2> err && %heapprof_score --by object heapprof.* | FileCheck %s
#include <stdlib.h>

static void *volatile Sink;

__attribute__((noinline)) static void *xmalloc(size_t N) {
  void *P = malloc(N);
  if (!P)
    abort();
  return P;
}

__attribute__((noinline)) static void xfree(void *P) {
  free(P);
  Sink = NULL;
}

__attribute__((noinline)) static void often(void) {
  Sink = xmalloc(24);
  xfree(Sink);
  Sink = NULL;
}
__attribute__((noinline)) static void rarely(void) {
  Sink = xmalloc(24);
  xfree(Sink);
  Sink = NULL;
}

__attribute__((noinline)) static void seldom(void) {
  Sink = xmalloc(24);
  free(Sink);
  Sink = NULL;
}

int main(void) {
  for (int I = 0; I < 1000; I++)
    often();
  for (int I = 0; I < 500; I++)
    seldom();
  for (int I = 0; I < 300; I++)
    rarely();
  Sink = NULL;
}
