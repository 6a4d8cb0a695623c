/* deque-blocks.cpp - a stack of few elements takes a whole block of its deque: a vector takes less, as the twin shows.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clangxx_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=REPAIRED %s
// CHECK: (std::stack<int, std::deque<int>>) from {{.*}} are too large:
// CHECK-SAME: -> A deque takes whole blocks, however few elements it holds: use a std::vector, which a std::stack can be based on, too.
// CHECK-SAME: [low_coverage]
// REPAIRED-NOT: low_coverage
// So does one that a map makes with its node:
// RUN: %clangxx_heapprof -O2 -g -DMAPPED %s -o %t.mapped && %run %t.mapped
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=MAPPED %s
// MAPPED: chunks of 512 B {{.*}} are too large:
// MAPPED-SAME: -> A deque takes whole blocks, however few elements it holds: use a std::vector
// MAPPED-NOT: Allocate less
#include <deque>
#include <map>
#include <stack>
#include <vector>

#ifdef REPAIRED
using visits = std::stack<int, std::vector<int>>;
#else
using visits = std::stack<int>;
#endif

struct node {
  visits seen;
};

__attribute__((noinline)) static void visit(node &of, int number) {
  of.seen.push(number);
  of.seen.push(number + 1);
}

#ifdef MAPPED
int main() {
  std::map<int, std::deque<int>> levels;
  int sum = 0;
  for (int i = 0; i < 2000; i++)
    levels[i].push_back(i);
  for (const auto &level : levels)
    sum += level.second.front();
  return sum == 7;
}
#else
int main() {
  std::vector<node> nodes(2000);
  int sum = 0;
  for (int i = 0; i < 2000; i++)
    visit(nodes[static_cast<unsigned>(i)], i);
  for (node &of : nodes)
    sum += of.seen.top();
  return sum == 7;
}
#endif
