// growth.cpp - a vector that grows element by element, and its twin that reserves.
// Growth without a reserve: each step copies all that is there.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK: Fact:
// CHECK-SAME: 3 std::vector<Point> in load (growth.cpp:{{[0-9]+}}) grow 15 times each, from 24 B to 768 KiB
// CHECK-SAME: 45 allocations
// CHECK-SAME: -> Call reserve
// CHECK-SAME: [growing]
// REPAIRED: no findings
#include <vector>

struct Point {
  double x, y, z;
};

__attribute__((noinline)) double load(int count) {
  std::vector<Point> points;
#ifdef REPAIRED
  points.reserve(count);
#endif
  for (int i = 0; i < count; i++)
    points.push_back({i * 1.0, i * 2.0, i * 3.0});
  double sum = 0;
  for (const Point &p : points)
    sum += p.x + p.y + p.z;
  return sum;
}

int main() {
  double sum = 0;
  for (int i = 0; i < 3; i++)
    sum += load(30000);
  return sum < 0;
}
