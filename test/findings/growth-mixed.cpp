// growth-mixed.cpp - vectors of one line, of which some grow by chains and others by fewer steps: what all of them leave is told. Its twin reserves.
// Growing. Both C++ libraries.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the plain compiler links none with libc++, that is left out.
// RUN: for library in libstdc++ libc++; do \
// RUN:   set -- -stdlib=$library -O2 -g %s && \
// RUN:   if [ $library = libc++ ] && ! %clangxx "$@" -o %t.plain; then continue; fi && \
// RUN:   %clangxx_heapprof "$@" -o %t && %run %t && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s && \
// RUN:   %clangxx_heapprof "$@" -DREPAIRED -o %t.repaired && %run %t.repaired && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s || exit 1; done
// 1000 vectors of 1 to 8 elements leave 0, 1, 2, 2, 3, 3, 3 and 3 chunks behind.
// CHECK: 500 std::vector<int> in main (growth-mixed.cpp:[[#]]) grow 3 times each, from 4 B to 32 B, others by fewer steps, and are copied each time: at least 2125 allocations ({{[0-9]+}} % of all)
// CHECK-SAME: -> Call reserve before it is filled; the last size was 32 B.
// REPAIRED-NOT: [growing]
#include <vector>

int main() {
  std::vector<std::vector<int>> cells(1000);
  long sum = 0;
#ifdef REPAIRED
  for (int i = 0; i < 1000; i++)
    cells[i].reserve(i % 8 + 1);
#endif
  for (int round = 0; round < 8; round++)
    for (int i = 0; i < 1000; i++)
      if (round <= i % 8)
        cells[i].push_back(i);
  for (const std::vector<int> &cell : cells)
    for (int number : cell)
      sum += number;
  return sum == 1;
}
