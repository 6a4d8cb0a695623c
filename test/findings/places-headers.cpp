// places-headers.cpp - templates of a header that is installed, with hooks as they are compiled with the program: who calls them is the place and frees, told that it calls a library.
// Of its own header the place would be the template: the twin.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O2 -g -I%S/Inputs/installed -fdebug-prefix-map=%S/Inputs/installed=/usr/include/installed %s -o %t && %run %t
// RUN: %heapprof_score --findings --limit=0 %dump/heapprof.* | tr -s '\n ' ' ' > %t.out
// RUN: FileCheck %s < %t.out && FileCheck --check-prefix=NONE %s < %t.out
// RUN: %clangxx_heapprof -O2 -g -I%S/Inputs/installed %s -o %t.own && %run %t.own
// RUN: %heapprof_score --findings --limit=0 %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=OWN %s
// NONE-NOT: (box.h
// CHECK-DAG: fill (places-headers.cpp:[[#]]) calls a library, in which 200 std::vector<box::Value<long>> grow 5 times each
// CHECK-DAG: make (places-headers.cpp:[[#]]) calls a library, which allocates long of 8 B one after the other, {{[^;]*}}; freed by make (places-headers.cpp:[[#]]){{[^>]*}}-> Call it less often
// OWN: box::Value<long>::{{.*}} (box.h:
#include "box.h"

static long sum;

__attribute__((noinline)) static void fill(long n) {
  box::Value<long> value;
  for (long i = 0; i < 32; i++)
    value.put(i * n);
  sum += *value.parts->back().leaf;
}

__attribute__((noinline)) static void make(long n) {
  box::Value<long> value = box::Value<long>::of(n);
  sum += *value.leaf;
}

int main() {
  for (long i = 0; i < 200; i++)
    fill(i);
  for (long i = 0; i < 2000; i++)
    make(i);
  return sum == 7;
}
