// generation-outlasts.cpp - a table of an installed header copies a key in each look-up, and drops what it keeps at every 200th: all of its chunks are gone no more often than that.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O1 -g -I%S/Inputs/installed -fdebug-prefix-map=%S/Inputs/installed=/usr/include/installed %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// CHECK: Likely: main (generation-outlasts.cpp:[[#]]) calls a library, which makes anew again and again what is gone by the next time: chunks of 2 points,
// CHECK-SAME: at least 20 times,
// CHECK-SAME: 7000 allocations
#include "groups.h"

int main() {
  Groups<long> groups;
  char key[] = "a key of some letters";
  long sum = 0;
  for (int i = 0; i < 4000; i++) {
    key[2] = static_cast<char>('a' + i % 26);
    sum += groups.put(key);
  }
  return sum == 7;
}
