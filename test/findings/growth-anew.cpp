// growth-anew.cpp - a vector that a function returns grows in each call, and is dropped by its caller: one that the
// caller keeps grows once; the twin has that. Of vectors that are there together none is to be kept.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=REPAIRED %s
// RUN: %clangxx_heapprof -O2 -g -DTOGETHER %s -o %t.together && %run %t.together
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=TOGETHER %s
// CHECK: 1. {{.*}} std::vector<int> in near (growth-anew.cpp:[[#]]) grow 4 times each, from 4 B to 64 B
// CHECK-SAME: -> Keep it from call to call and clear it, so that it grows once; if it is the result, let the caller give one to fill. Or call reserve before it is filled; the last size was 64 B.
// REPAIRED: no findings
// TOGETHER: std::vector<int> in near (growth-anew.cpp:[[#]]) grow 4 times each, {{[^>]*}}-> Call reserve before it is filled; the last size was 64 B.
#include <vector>

#ifdef REPAIRED
__attribute__((noinline)) static void near(int to, std::vector<int> &found) {
  found.clear();
#else
__attribute__((noinline)) static std::vector<int> near(int to) {
  std::vector<int> found;
#endif
  for (int i = 0; i < 12; i++)
    found.push_back(to + i);
#ifndef REPAIRED
  return found;
#endif
}

int main() {
  int sum = 0;
#ifdef TOGETHER
  for (int i = 0; i < 100; i++) {
    std::vector<int> all[50];
    for (int k = 0; k < 50; k++)
      all[k] = near(k);
    sum += all[i % 50][3];
  }
#else
#ifdef REPAIRED
  std::vector<int> found;
#endif
  for (int i = 0; i < 5000; i++) {
#ifdef REPAIRED
    near(i, found);
#else
    const std::vector<int> found = near(i);
#endif
    for (int one : found)
      sum += one % 2;
  }
#endif
  return sum == 1;
}
