// shared-count.cpp - shared pointers made of objects that were allocated before, and the twin that makes both at once.
// A pointer with a deleter of its own cannot be made so: of that nothing is said.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -std=c++17 -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %heapprof_score --json %dump/heapprof.* | FileCheck --check-prefix=JSON %s
// RUN: %clangxx_heapprof -std=c++17 -O0 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -std=c++17 -O2 -g -DTEMPLATE %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -std=c++17 -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// RUN: %clangxx_heapprof -std=c++17 -O2 -g -DDELETER %s -o %t.deleter && %run %t.deleter
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// Those of Boost are as these:
// RUN: %clangxx_heapprof -std=c++17 -O2 -g -DBOOST -I%S/Inputs/installed -fdebug-prefix-map=%S/Inputs/installed=/usr/include/boost %s -o %t.boost && %run %t.boost
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=BOOST %s
// BOOST: from_pointer (shared-count.cpp:[[#]]) makes each boost::shared_ptr of an object that was allocated before, so that its count takes an allocation of its own: 4000 allocations
// BOOST-SAME: -> Call boost::make_shared, which allocates object and count at once.
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

#ifdef BOOST
#include "boost_names.hpp"
#define SPACE boost
#else
#define SPACE std
#endif

#ifdef TEMPLATE
template <class Number, int Size> struct Of {
  Number number;
  SPACE::shared_ptr<Of> next;
};
using Node = Of<long, 1>;
#else
struct Node {
  long number;
  SPACE::shared_ptr<Node> next;
};
#endif

__attribute__((noinline)) SPACE::shared_ptr<Node> from_pointer(int i) {
#if defined REPAIRED
  SPACE::shared_ptr<Node> node = std::make_shared<Node>();
#elif defined DELETER
  SPACE::shared_ptr<Node> node(new Node, [](Node *n) { delete n; });
#else
  SPACE::shared_ptr<Node> node(new Node);
#endif
  node->number = i;
  return node;
}

__attribute__((noinline)) SPACE::shared_ptr<Node> from_unique(int i) {
#if defined REPAIRED || defined DELETER || defined BOOST
  return from_pointer(i);
#else
  std::unique_ptr<Node> node = std::make_unique<Node>();
  node->number = i;
  return node;
#endif
}

int main() {
  std::vector<SPACE::shared_ptr<Node>> nodes;
  nodes.reserve(4000);
  for (int i = 0; i < 2000; i++) {
    nodes.push_back(from_pointer(i));
    nodes.push_back(from_unique(i));
  }
  long sum = 0;
  for (const SPACE::shared_ptr<Node> &node : nodes)
    sum += node->number + (node->next ? 1 : 0);
  return sum < 0;
}
