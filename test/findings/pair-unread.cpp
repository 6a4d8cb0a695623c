// pair-unread.cpp - elements of a map that are taken by value, and of which nobody reads all: a reference does for both parts, at
// one line, which is no other line of itself; and its twin.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' > %t.out && FileCheck %s < %t.out && FileCheck --check-prefix=NONE %s < %t.out
// NONE-NOT: other line
// RUN: %clangxx_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK-DAG: Fact: 10000 chunks from counted (pair-unread.cpp:[[#]]) are written and never read: 10000 allocations ({{[^>]*}}-> Take it by const reference: const auto &, where auto copies.
// CHECK-DAG: Likely: named (pair-unread.cpp:[[#]]) copies std::pair again and again, {{[0-9]+ KiB}} in 10000 allocations, {{[^>]*}}-> Take it by const reference: const auto &, where auto copies.
// REPAIRED: no findings
#include <map>
#include <string>
#include <vector>

using Lines = std::map<std::string, std::vector<int>>;

#ifdef REPAIRED
using Element = const Lines::value_type &;
#else
using Element = Lines::value_type;
#endif

__attribute__((noinline)) static size_t counted(const Lines &lines) {
  size_t sum = 0;
  for (Element entry : lines)
    sum += entry.first.size() + entry.second.size();
  return sum;
}

__attribute__((noinline)) static size_t named(const Lines &lines) {
  size_t sum = 0;
  for (Element entry : lines)
    sum += static_cast<size_t>(entry.first[20]) + entry.second.size();
  return sum;
}

int main() {
  Lines lines;
  size_t sum = 0;
  for (int i = 0; i < 50; i++)
    lines["a name that is long enough " + std::to_string(i)] =
        std::vector<int>(4, i);
  for (int i = 0; i < 100; i++)
    sum += counted(lines) + named(lines);
  return sum == 1;
}
