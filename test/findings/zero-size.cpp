// zero-size.cpp - an array of no elements per request, and the twin that returns early.
// As TAO did: operator new of 0 bytes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK: Fact:
// CHECK-SAME: copy (zero-size.cpp:{{[0-9]+}}) asks for 0 bytes again and again: 4980 allocations
// CHECK-SAME: -> Return early
// CHECK-SAME: [zero_size]
// REPAIRED: no findings
struct Argument {
  long value;
};

__attribute__((noinline)) Argument *copy(const Argument *from, unsigned count) {
#ifdef REPAIRED
  if (count == 0)
    return nullptr;
#endif
  Argument *to = new Argument[count];
  for (unsigned i = 0; i < count; i++)
    to[i] = from[i];
  return to;
}

int main() {
  Argument three[3] = {{1}, {2}, {3}};
  long sum = 0;
  for (int request = 0; request < 5000; request++) {
    unsigned count = request % 250 ? 0 : 3;
    Argument *arguments = copy(three, count);
    for (unsigned i = 0; i < count; i++)
      sum += arguments[i].value;
    delete[] arguments;
  }
  return sum == 0;
}
