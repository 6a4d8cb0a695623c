// shared-count.cpp - shared pointers made of objects that were allocated before, and the twin that makes both at once.
// A pointer with a deleter of its own cannot be made so: of that nothing is said.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -std=c++17 -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %heapprof_score --json %dump/heapprof.* | FileCheck --check-prefix=JSON %s
// RUN: %clangxx_heapprof -std=c++17 -O0 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -std=c++17 -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// RUN: %clangxx_heapprof -std=c++17 -O2 -g -DDELETER %s -o %t.deleter && %run %t.deleter
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK: Likely:
// CHECK-DAG: from_pointer{{(\(int\))?}} (shared-count.cpp:[[#FROM:]]) makes each std::shared_ptr of an object that was allocated before, so that its count takes an allocation of its own: 2000 allocations ({{[0-9]+}} % of all), 31.2 KiB of malloc's memory at the peak ({{[0-9]+}} % of it), for 15.6 KiB requested.
// CHECK-DAG: from_unique{{(\(int\))?}} (shared-count.cpp:{{[0-9]+}}) makes each std::shared_ptr of an object that was allocated before
// CHECK-DAG: -> Call std::make_shared, which allocates object and count at once.
// CHECK-DAG: [shared_count]
// JSON: "rule": "shared_count", "action": "join", "certain": false
// JSON-SAME: "subject": "std::shared_ptr"
// REPAIRED: no findings
#include <memory>
#include <vector>

struct Node {
  long number;
  std::shared_ptr<Node> next;
};

__attribute__((noinline)) std::shared_ptr<Node> from_pointer(int i) {
#if defined REPAIRED
  std::shared_ptr<Node> node = std::make_shared<Node>();
#elif defined DELETER
  std::shared_ptr<Node> node(new Node, [](Node *n) { delete n; });
#else
  std::shared_ptr<Node> node(new Node);
#endif
  node->number = i;
  return node;
}

__attribute__((noinline)) std::shared_ptr<Node> from_unique(int i) {
#if defined REPAIRED || defined DELETER
  return from_pointer(i);
#else
  std::unique_ptr<Node> node = std::make_unique<Node>();
  node->number = i;
  return node;
#endif
}

int main() {
  std::vector<std::shared_ptr<Node>> nodes;
  nodes.reserve(4000);
  for (int i = 0; i < 2000; i++) {
    nodes.push_back(from_pointer(i));
    nodes.push_back(from_unique(i));
  }
  long sum = 0;
  for (const std::shared_ptr<Node> &node : nodes)
    sum += node->number + (node->next != nullptr);
  return sum < 0;
}
