// unread-member.cpp - a record has a copy of a text as a member, which nobody reads: not to be passed, or returned, by
// reference, but not to be made; the twin has none.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=REPAIRED %s
// CHECK: Fact: 1000 chunks of 33 B (std::string) from to_order (unread-member.cpp:[[#]]) are written and never read
// CHECK-SAME: -> Do not build what nobody reads
// CHECK-NOT: by const reference
// REPAIRED: no findings
#include <string>

struct Order {
#ifndef REPAIRED
  std::string customer;
#endif
  int sum = 0;
};

__attribute__((noinline)) static Order to_order(const std::string &customer,
                                                int sum) {
  Order order;
#ifndef REPAIRED
  order.customer = customer;
#else
  (void)customer;
#endif
  order.sum = sum;
  return order;
}

int main() {
  const std::string name = "a name that takes a chunk itself";
  int sum = 0;
  for (int i = 0; i < 1000; i++) {
    const Order order = to_order(name, i);
    sum += order.sum;
  }
  return sum == 1;
}
