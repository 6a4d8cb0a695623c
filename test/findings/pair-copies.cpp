// pair-copies.cpp - a loop over a map whose elements are taken as another type of pair, so that each is copied; its twin takes them as they are.
// With KEPT the copies are collected, and with CHANGED each is made longer: those are needed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// RUN: %clangxx_heapprof -O2 -g -DKEPT %s -o %t.kept && %run %t.kept
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=KEPT %s
// RUN: %clangxx_heapprof -O2 -g -DCHANGED %s -o %t.changed && %run %t.changed
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=KEPT %s
// CHECK: Likely: total (pair-copies.cpp:[[#]]) copies std::pair again and again, 146 KiB in 5000 allocations
// CHECK-SAME: -> Take it by const reference of the type that it has, as const auto & is
// CHECK-SAME: [copied_to_read]
// REPAIRED: no findings
// KEPT-NOT: [copied_to_read]
#include <map>
#include <string>
#include <vector>

using Counts = std::map<std::string, int>;

#ifdef REPAIRED
using Element = Counts::value_type;
#else
using Element = std::pair<std::string, int>; // the key is not const
#endif

__attribute__((noinline)) static long total(const Counts &counts) {
  long sum = 0;
#ifdef KEPT
  static std::vector<Element> kept;
  for (const auto &entry : counts)
    kept.push_back(entry);
#endif
  for (const auto &entry : counts)
    sum += entry.second;
#ifdef CHANGED
  for (Element entry : counts) {
    for (int i = 0; i < 8; i++)
      entry.first[(size_t)i] = (char)sum;
    for (char c : entry.first)
      sum += c;
  }
#elif !defined KEPT
  for (const Element &entry : counts)
    sum += entry.first[20];
#endif
  return sum;
}

int main() {
  Counts counts;
  long sum = 0;
  for (int i = 0; i < 50; i++)
    counts["a name that is long enough " + std::to_string(i)] = i;
  for (int i = 0; i < 100; i++)
    sum += total(counts);
  return sum == 1;
}
