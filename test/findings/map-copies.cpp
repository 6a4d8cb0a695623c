// map-copies.cpp - a loop that takes elements by value, each with a map of its own, as Xapian's flush_pos_lists does; its twin takes references.
// The nodes are no chunks of a pool: they would not be there. With CHANGED the copies are needed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// RUN: %clangxx_heapprof -O2 -g -DCHANGED %s -o %t.changed && %run %t.changed
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=CHANGED %s
// CHECK: Likely: total (map-copies.cpp:[[#]]) copies std::pair again and again, {{.*}} in 20000 allocations
// CHECK-SAME: -> Take it by const reference of the type that it has, as const auto & is
// CHECK-SAME: [copied_to_read]
// CHECK-NOT: [short_lived]
// REPAIRED: no findings
// CHANGED-NOT: [copied_to_read]
#include <map>
#include <string>

using Positions = std::map<unsigned, std::string>;
using Terms = std::map<std::string, Positions>;

#ifdef REPAIRED
#define ELEMENT const auto &
#else
#define ELEMENT auto
#endif

__attribute__((noinline)) static unsigned long total(const Terms &terms) {
  unsigned long sum = 0;
  for (ELEMENT term : terms) {
#ifdef CHANGED
    for (int turn = 0; turn < 8; turn++)
      for (auto &position : term.second) {
        position.second[1] = (char)sum;
        position.second[2] = (char)turn;
        sum += position.second[3];
      }
#else
    for (const auto &position : term.second)
      sum += position.first + position.second.size();
#endif
  }
  return sum;
}

int main() {
  Terms terms;
  unsigned long sum = 0;
  for (unsigned i = 0; i < 40; i++)
    for (unsigned j = 0; j < 5; j++)
      terms["term" + std::to_string(i)][j] = "where";
  for (int i = 0; i < 100; i++)
    sum += total(terms);
  return sum == 1;
}
