// lost-circle.cpp - std::shared_ptrs that go in a circle: who made them is told, and that one should be weak, as it is in the twin.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=REPAIRED %s
// CHECK: 1. Fact: 200 chunks of 64 B (std::make_shared<Node>) from couple (lost-circle.cpp:[[#]]) are lost: nothing outside points to them at the end, nor to 200 more, 12.5 KiB in all, that only hang from them:
// CHECK-SAME: -> Make one pointer of each circle a std::weak_ptr
// Of an object that was made before, the count is told:
// RUN: %clangxx_heapprof -O2 -g -DCOUNTED %s -o %t.counted && %run %t.counted
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=COUNTED %s
// COUNTED: 1. Fact: 200 chunks of 24 B (std::shared_ptr<Node> count) from couple (lost-circle.cpp:[[#]]) are lost: nothing outside points to them at the end, nor to 400 more, {{[^>]*}}-> Make one pointer of each circle a std::weak_ptr
// REPAIRED-NOT: {{\[lost\]}}
#include <memory>

struct Node {
  std::shared_ptr<Node> next;
#ifdef REPAIRED
  std::weak_ptr<Node> before;
#else
  std::shared_ptr<Node> before;
#endif
  long number, other;
};

__attribute__((noinline)) static long couple(long n) {
  const std::shared_ptr<Node> first = std::make_shared<Node>();
#ifdef COUNTED
  first->next = std::shared_ptr<Node>(new Node);
#else
  first->next = std::make_shared<Node>();
#endif
  first->next->before = first;
  first->number = first->next->number = n;
  first->other = first->next->other = n + 1;
  return first->number + first->next->other + first->other +
         first->next->number;
}

int main() {
  long sum = 0;
  for (long i = 0; i < 200; i++)
    sum += couple(i);
  return sum == 7;
}
