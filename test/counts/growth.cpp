// A vector that grows makes the same accesses at each level: the elements one
// by one, each copy as a whole.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: for level in -O0 -O1 -O2 -O3 -Os -Oz; do \
// RUN:   %clangxx_heapprof -g $level %s -o %t && %run %t && \
// RUN:   %check_counts || { echo "at $level"; exit 1; }; done
#include <vector>

int main() {
  std::vector<int> V;
  // Room for 1, 2, 4, ..., 128: 8 chunks.  Written: 100 elements and 7 copies;
  // read: the 7 copies, then each element.  The last holds 100 elements.
  for (volatile int I = 0; I < 100; I = I + 1)
    // POINT chunks=8 bytes=4*255 reads=7+100 writes=7+100
    //       accessed=4*127+4*100 growing=8
    V.push_back(int(I));
  int Sum = 0;
  for (volatile int &Element : V)
    Sum += Element;
  return Sum == 4950 ? 0 : 1;
}
