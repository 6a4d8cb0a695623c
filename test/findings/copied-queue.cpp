// copied-queue.cpp - a queue that is copied to be iterated, and its twin that reads it in place.
// As bamtools' filter did.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK: Likely:
// CHECK-SAME: passes (copied-queue.cpp:{{[0-9]+}}) copies its std::queue<int
// CHECK-SAME: 4000 allocations
// CHECK-SAME: -> Read the original
// CHECK-SAME: [copied_to_read] points
// REPAIRED: no findings
#include <queue>
#include <string>

struct Filter {
  std::queue<int> rules;
#ifdef REPAIRED
  std::deque<int> order;
#endif
  void add(int rule) {
    rules.push(rule);
#ifdef REPAIRED
    order.push_back(rule);
#endif
  }
};

__attribute__((noinline)) int passes(const Filter &filter, int record) {
  int sum = 0;
#ifdef REPAIRED
  for (int rule : filter.order)
    sum += rule & record;
#else
  std::queue<int> left = filter.rules;
  while (!left.empty()) {
    sum += left.front() & record;
    left.pop();
  }
#endif
  return sum;
}

int main() {
  Filter filter;
  for (int i = 0; i < 100; i++)
    filter.add(i);
  int sum = 0;
  for (int i = 0; i < 2000; i++)
    sum += passes(filter, i);
  return sum < 0;
}
