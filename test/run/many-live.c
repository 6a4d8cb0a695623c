/* many-live.c - of more live chunks than a dump sorts at once each point has its own, in every part that is sorted.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: rm -rf %t && mkdir %t && cd %t && %clang -O0 -g %s -o app && %heapprof_run --collapse-recursion=0 ./app && %heapprof_score --json --limit 0 heapprof.app.* | %python %S/Inputs/points.py make | sort | uniq -c | FileCheck %s
// CHECK: 28 make: 10000 chunks, 160000 bytes, 10000 live, accesses unknown, usage None
// CHECK-NOT: make
// None of them is missing.
// RUN: cd %t && %heapprof_score heapprof.app.* | FileCheck --check-prefix=ALL %s
// ALL-NOT: contradicts
// ALL: never_freed
#include <stdlib.h>

static void *kept;
__attribute__((noinline)) static void make(int deeper) {
  if (deeper) {
    make(deeper - 1);
    return;
  }
  for (int i = 0; i < 10000; i++) {
    void **chunk = malloc(16);
    *chunk = kept;
    kept = chunk;
  }
}

int main(void) {
  for (int i = 0; i < 28; i++)
    make(i);
  return 0;
}
