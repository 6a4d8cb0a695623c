// growth-lines.cpp - each request fills a vector of its own, and at another line of the function the table of all grows; two findings.
// How far the table grows is no size to reserve for a request. Vectors that grow side by side are told together. The twin reserves.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' > %t.txt
// RUN: FileCheck %s --input-file=%t.txt && FileCheck --check-prefix=TABLE %s --input-file=%t.txt
// RUN: %clangxx_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK: 8000 std::vector<int> in answer (growth-lines.cpp:[[#]]) grow 6 times each, from 4 B to 256 B, and are copied each time, and so at 1 other line of it
// CHECK-SAME: -> Keep it from call to call and clear it, so that it grows once; {{[^>]*}} Or call reserve before it is filled; the last size was 256 B.
// TABLE: std::vector<long> in answer (growth-lines.cpp:[[#@LINE+20]]) grows 15 times, from 8 B to 256 KiB
// TABLE-SAME: -> Call reserve before it is filled; the last size was 256 KiB.
// REPAIRED: no findings
#include <vector>

static std::vector<long> all;

__attribute__((noinline)) static long answer(int request) {
  std::vector<int> sizes, places;
  long sum = 0;
#ifdef REPAIRED
  static std::vector<int> kept[2];
  sizes.swap(kept[0]), places.swap(kept[1]);
  sizes.reserve(64), places.reserve(64);
#endif
  for (int i = 0; i < 64; i++) {
    sizes.push_back(request + i);
    places.push_back(request - i);
  }
  for (int i = 0; i < 8; i++)
    all.push_back(sizes[i] + places[i]);
  for (int i = 0; i < 64; i++)
    sum += sizes[i] ^ places[i];
#ifdef REPAIRED
  sizes.clear(), places.clear();
  sizes.swap(kept[0]), places.swap(kept[1]);
#endif
  return sum;
}

int main() {
  long sum = 0;
#ifdef REPAIRED
  all.reserve(32000);
#endif
  for (int i = 0; i < 4000; i++)
    sum += answer(i);
  for (long one : all)
    sum += one;
  return sum == 1;
}
