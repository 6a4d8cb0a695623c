// held-elsewhere.cpp - a vector that an object fills anew in each call, where the object's owner is the caller: it can keep the object.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -O1 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK: Parts::add{{.*}} makes its {{.*}} anew each time
// CHECK-SAME: freed by {{Parts::~Parts|parse}}
// CHECK-SAME: -> Keep the object that holds it from call to call, and clear it instead of freeing it.
// REPAIRED: no findings
#include <vector>

struct Parts {
  std::vector<long> Kept;
  __attribute__((noinline)) void add(long N) { Kept.push_back(N); }
};

#ifdef REPAIRED
#define OWN static
#else
#define OWN
#endif

__attribute__((noinline)) long parse(long N) {
  OWN Parts P;
  P.Kept.clear();
  P.add(N);
  return P.Kept[0];
}

int main() {
  long Sum = 0;
  for (long I = 0; I < 20000; I++)
    Sum += parse(I);
  return Sum == 1;
}
