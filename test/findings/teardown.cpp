// teardown.cpp - a tree that is read once and kept, whose destructors read all of it again; its twin that ends it in time.
// Freed late, although the last access comes just before the free. With USED another function reads it there: that is use.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O2 -g %s -o %t && %env_heapprof_opts=collapse_recursion=0 %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %heapprof_score --stacks %dump/heapprof.* | FileCheck --check-prefix=STACKS %s
// RUN: %heapprof_score --json %dump/heapprof.* | %python %S/Inputs/teardown.py | FileCheck --check-prefix=JSON %s
// RUN: %clangxx_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=NONE %s
// RUN: %clangxx_heapprof -O2 -g -DUSED %s -o %t.used && %run %t.used
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=NONE %s
// CHECK: Likely:
// CHECK-SAME: chunks of 32 B (Node) from build (teardown.cpp:{{[0-9]+}}) are kept long after the last use, but for Node::~Node
// CHECK-SAME: (teardown.cpp:{{[0-9]+}}), which takes them down ({{[0-9]+}} of {{[0-9]+}} chunks watched)
// CHECK-SAME: [freed_late]
// STACKS: useful 0.{{[01][0-9]}} without teardown, {{0.[89][0-9]|1.00}} with it ({{[0-9]+}} watched until freed)
// STACKS-SAME: last used before Node::~Node() and its like took them down
// JSON: watched, mostly torn, settled below 0.2, useful above 0.8, by {'Node::~Node()'}
// NONE-NOT: [freed_late]
#include <chrono>
#include <cstdio>
#include <memory>

using namespace std::chrono;

static long alive;

struct Node {
  long value;
  bool is_counted = true;
  Node *left = nullptr, *right = nullptr;
  explicit Node(long value) : value(value) {}
  ~Node();
};

Node::~Node() {
  if (is_counted)
    alive--;
  delete left;
  delete right;
}

__attribute__((noinline)) Node *build(int depth) {
  if (depth == 0)
    return nullptr;
  alive++;
  auto *node = new Node(depth);
  node->left = build(depth - 1);
  node->right = build(depth - 1);
  return node;
}

__attribute__((noinline)) long sum(const Node *node) {
  return node ? node->value + sum(node->left) + sum(node->right) : 0;
}

/* Ten times as long as what was before, on a machine that is busy, too. */
__attribute__((noinline)) void work(steady_clock::time_point start) {
  const auto now = steady_clock::now();
  const auto end = now + 12 * (now - start) + milliseconds(500);
  while (steady_clock::now() < end)
    ;
}

int main() {
  const auto start = steady_clock::now();
  Node *tree = build(12);
  long total = sum(tree);
#ifdef REPAIRED
  delete tree;
#endif
  work(start);
#ifdef USED
  total += sum(tree);
#endif
#ifndef REPAIRED
  delete tree;
#endif
  std::printf("%ld %ld\n", total, alive);
  return 0;
}
