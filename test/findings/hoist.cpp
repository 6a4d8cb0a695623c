// hoist.cpp - a std::stack made anew in each call, and its twin that keeps it.
// An empty std::stack takes half a kilobyte of which a few bytes are used.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK: Likely:
// CHECK-SAME: evaluate (hoist.cpp:{{[0-9]+}}) makes its std::stack<int
// CHECK-SAME: 10000 allocations
// CHECK-SAME: -> Keep it from call to call
// CHECK-SAME: [made_per_call]
// REPAIRED: no findings
#include <stack>

#ifdef REPAIRED
static std::stack<int> open;
#endif

__attribute__((noinline)) int evaluate(int depth) {
#ifndef REPAIRED
  std::stack<int> open;
#endif
  for (int i = 0; i < depth; i++)
    open.push(i);
  int sum = 0;
  while (!open.empty()) {
    sum += open.top();
    open.pop();
  }
  return sum;
}

int main() {
  int sum = 0;
  for (int i = 0; i < 5000; i++)
    sum += evaluate(i % 7);
  return sum < 0;
}
