// passing-queue.cpp - a std::deque kept for good that elements pass through, and its twin, a ring of fixed size.
// It is no deque made anew: each block of 512 bytes serves 64 pointers and goes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK: Likely:
// CHECK-SAME: serve (passing-queue.cpp:{{[0-9]+}}) passes elements through its std::deque<int*>, which takes a new block of 512 B
// CHECK-SAME: allocations
// CHECK-SAME: -> Use a ring buffer
// CHECK-SAME: [short_lived]
// REPAIRED: no findings
#include <deque>

#ifdef REPAIRED
struct Ring {
  int *of[8];
  unsigned begin = 0, end = 0;
  void push_back(int *one) { of[end++ % 8] = one; }
  void pop_front() { begin++; }
  int *front() { return of[begin % 8]; }
};
static Ring waiting;
#else
static std::deque<int *> waiting;
#endif

__attribute__((noinline)) int serve(int *one) {
  waiting.push_back(one);
  int number = *waiting.front();
  waiting.pop_front();
  return number;
}

int main() {
  int sum = 0;
  /* So many that the pauses between blocks are short beside the run. */
  for (int i = 0; i < 200000; i++)
    sum += serve(&i);
  return sum == 1;
}
