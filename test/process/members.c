/* members.c - the option members: off nothing is said of places; in code without the flag what one hook counts at once
   is in no row, and said to be so; live chunks and those of a dump on demand are in.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// REQUIRES: llvm-22
// RUN: rm -rf %t.d && mkdir %t.d
// RUN: %clang_heapprof -O2 -fsanitize-heapprof-members %s -o %t
// RUN: %clang_heapprof -O2 %s -o %t.without
// RUN: env HEAPPROF_OPTIONS=dump_dir=%t.d/off %t && %python %S/Inputs/members.py %t.d/off | FileCheck --check-prefix=OFF --allow-empty %s
// OFF-NOT: pair
// RUN: env HEAPPROF_OPTIONS=dump_dir=%t.d/on:members=1 %t && %python %S/Inputs/members.py %t.d/on | FileCheck %s
// CHECK: 1: pair, 3 of 3 counted, 0 lost: +0 4 r3 w3 c3, +8 8 r3 w3 c3
// CHECK: 2: pair, 5 of 5 counted, 0 lost: +0 4 r3 w3 c3, +8 8 r5 w5 c5
// CHECK: {{[.]1$}}
// CHECK-NEXT: 1: pair, 3 of 3 counted, 0 lost: +0 4 r3 w3 c3, +8 8 r3 w3 c3
// RUN: env HEAPPROF_OPTIONS=dump_dir=%t.d/without:members=1 %t.without && %python %S/Inputs/members.py %t.d/without | FileCheck --check-prefix=WITHOUT %s
// WITHOUT: 1: pair, 3 of 3 counted, 12 lost:
// WITHOUT: 2: pair, 5 of 5 counted, {{[0-9]+}} lost
// RUN: env HEAPPROF_OPTIONS=dump_dir=%t.d/samples:members=1:sample_every=1 %t && %python %S/Inputs/members.py %t.d/samples | FileCheck --check-prefix=SAMPLES %s
// SAMPLES: 2: pair, 5 of 5 counted, 0 lost: +0 4 r3 w3 c3, +8 8 r5 w5 c5
#include <sanitizer/heapprof_interface.h>
#include <stdlib.h>

struct pair {
  int key;
  double value;
};

/* Both members at once: one hook. */
__attribute__((noinline)) static void add(struct pair *pair, int key) {
  pair->key += key;
  pair->value += key;
}

/* The other one alone. */
__attribute__((noinline)) static void grow(struct pair *pair) {
  pair->value *= 2;
}

int main(void) {
  struct pair *pairs[5];
  static volatile int n = 3;
  for (int i = 0; i < n; i++)
    add(pairs[i] = calloc(1, sizeof *pairs[i]), i);
  __heapprof_dump();
  for (int i = 0; i < n; i++)
    free(pairs[i]);
  for (int i = 0; i < n + 2; i++) {
    pairs[i] = calloc(1, sizeof *pairs[i]);
    if (i < n)
      add(pairs[i], i);
    else
      grow(pairs[i]);
  }
  return 0;
}
