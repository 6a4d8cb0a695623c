// rows.cpp - of a std::vector of vectors rows and the vector of them are told each by what it is; where both are made anew, as one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=REPAIRED %s
// CHECK-DAG: Fact: 1950 chunks of 160 B (std::vector<int>) from unread (rows.cpp:[[#]]) are written and never read
// CHECK-DAG: Fact: 500 chunks of 4.00 KiB (std::vector<double>) from of_map (rows.cpp:[[#]]) are written and never read
// REPAIRED-NOT: never read
#include <cstddef>
#include <map>
#include <vector>

static long sum;

__attribute__((noinline)) static void unread(std::size_t n) {
  std::vector<std::vector<int>> rows(n, std::vector<int>(n));
  for (std::size_t i = 0; i < n; i++)
    rows[i][i] = 1;
#ifdef REPAIRED
  for (const std::vector<int> &row : rows)
    sum += row[0];
#endif
  sum += rows[n - 1][n - 1];
}

__attribute__((noinline)) static void
of_map(std::map<int, std::vector<double>> &map, int i) {
  map[i].resize(512);
  map[i][3] = 2;
#ifdef REPAIRED
  sum += static_cast<long>(map[i][2]);
#endif
}

int main() {
  std::map<int, std::vector<double>> map;
  for (int i = 0; i < 500; i++)
    of_map(map, i);
  for (int i = 0; i < 50; i++)
    unread(40);
  return sum == 7;
}
