// kept.cpp - vectors whose buffers stay after clear, and their twins that give them back.
// Freed late: as the navigation software of the type-preserving profiler did.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK: Likely:
// CHECK-SAME: 60 chunks of 3.91 KiB (std::vector<int>) from label (kept.cpp:{{[0-9]+}}) are kept
// CHECK-SAME: -> Drop it after the last use, or what it is in
// CHECK-SAME: [freed_late]
// REPAIRED: no findings
#include <vector>

struct Tile {
  std::vector<int> labels;
  long area = 0;
};

__attribute__((noinline)) void label(Tile &tile) {
  tile.labels.assign(1000, 1);
  for (int value : tile.labels)
    tile.area += value;
  tile.labels.clear();
#ifdef REPAIRED
  std::vector<int>().swap(tile.labels);
#endif
}

__attribute__((noinline)) long work(volatile int *cell) {
  long sum = 0;
  for (int i = 0; i < 800000000; i++)
    sum += *cell;
  return sum;
}

int main() {
  std::vector<Tile> tiles(60);
  for (Tile &tile : tiles)
    label(tile);
  int one = 1;
  long sum = work(&one);
  for (Tile &tile : tiles)
    sum += tile.area;
  return sum == 0;
}
