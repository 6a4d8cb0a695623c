// copied-argument-again.cpp - functions that call one another hand a map on by value: each drops its copies itself, so that they are no results to be returned by reference.
// The twin takes a const reference.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O1 -g %s -o %t && env HEAPPROF_OPTIONS=collapse_recursion=0 %run %t && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -O1 -g -DREPAIRED %s -o %t && %run %t && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=REPAIRED %s
// CHECK: Likely: sum_of_parts (copied-argument-again.cpp:[[#]]) copies its std::map<std::string, double> again and again, {{[^>]*}} -> Read the original through a const reference,
// REPAIRED-NOT: copies
#include <map>
#include <string>
#include <vector>

using Scope = std::map<std::string, double>;

#ifdef REPAIRED
using Given = const Scope &;
#else
using Given = Scope;
#endif

struct Node {
  std::string name;
  std::vector<Node> parts;
};

static double value_of(const Node &node, Given scope);

[[gnu::noinline]] static double sum_of_parts(const Node &node,
                                             const Scope &scope) {
  double sum = 0;
  for (const Node &part : node.parts)
    sum += value_of(part, scope);
  return sum;
}

[[gnu::noinline]] static double value_of(const Node &node, Given scope) {
  return node.parts.empty() ? scope.find(node.name)->second
                            : sum_of_parts(node, scope);
}

int main() {
  const Scope scope{{"x", 1}, {"y", 2}, {"z", 3}};
  const Node leaves{"", {{"x", {}}, {"y", {}}, {"z", {}}}};
  const Node tree{"", {leaves, {"", {leaves, leaves, {"y", {}}}}, {"x", {}}}};
  double sum = 0;
  for (int i = 0; i < 500; i++)
    sum += value_of(tree, scope);
  return sum > 10499 && sum < 10501 ? 0 : 1;
}
