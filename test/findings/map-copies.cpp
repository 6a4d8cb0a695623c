// map-copies.cpp - a loop that takes elements by value, each with a map of its own, as Xapian's flush_pos_lists does; its twin takes references.
// The nodes are no chunks of a pool: they would not be there, and those of one copy (20 with SLOW) are there together most of the time.
// With CHANGED the copies are needed, and with KEPT some stay while others come and go, which may be what they are for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// RUN: %clangxx_heapprof -O2 -g -DCHANGED %s -o %t.changed && %run %t.changed
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=CHANGED %s
// RUN: %clangxx_heapprof -O2 -g -DSLOW %s -o %t.slow && %run %t.slow
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=SLOW %s
// RUN: %clangxx_heapprof -O2 -g -DKEPT %s -o %t.kept && %run %t.kept
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=CHANGED %s
// CHECK: Likely: total (map-copies.cpp:[[#]]) copies std::pair again and again, {{.*}} in 20000 allocations
// CHECK-SAME: -> Take it by const reference: const auto &, where auto copies. total
// CHECK-SAME: [copied_to_read]
// CHECK-NOT: [short_lived]
// SLOW: Likely: total (map-copies.cpp:[[#]]) copies std::pair again and again, {{.*}} in 80000 allocations
// SLOW-SAME: [copied_to_read]
// SLOW-NOT: [short_lived]
// REPAIRED: no findings
// CHANGED-NOT: [copied_to_read]
#include <map>
#include <memory>
#include <string>

using Positions = std::map<unsigned, std::string>;
using Terms = std::map<std::string, Positions>;

#ifdef REPAIRED
#define ELEMENT const auto &
#else
#define ELEMENT auto
#endif

#ifdef SLOW
enum { TERMS = 40, POSITIONS = 20, READS = 10 };
#else
enum { TERMS = 40, POSITIONS = 5, READS = 1 };
#endif

__attribute__((noinline)) static unsigned long total(const Terms &terms) {
  unsigned long sum = 0;
#ifdef KEPT
  static std::unique_ptr<Terms::value_type> kept[3];
  static unsigned turn;
  for (const auto &original : terms) {
    auto &place = kept[turn++ % 3];
    place.reset(new Terms::value_type(original));
    const auto &term = *place;
#else
  for (ELEMENT term : terms) {
#endif
#ifdef CHANGED
    for (int turn = 0; turn < 8; turn++)
      for (auto &position : term.second) {
        position.second[1] = (char)sum;
        position.second[2] = (char)turn;
        sum += position.second[3];
      }
#else
    for (int reads = 0; reads < READS; reads++)
      for (const auto &position : term.second)
        sum += position.first + position.second.size();
#endif
  }
  return sum;
}

int main() {
  Terms terms;
  unsigned long sum = 0;
  for (unsigned i = 0; i < TERMS; i++)
    for (unsigned j = 0; j < POSITIONS; j++)
      terms["term" + std::to_string(i)][j] = "where";
  for (int i = 0; i < 100; i++)
    sum += total(terms);
  return sum == 1;
}
