// message-tree.cpp - a tree of messages parsed anew in each turn of a loop, and its twin that is parsed into again.
// As Memoro's study of protobuf did: a text, numbers, and messages inside that hold numbers, too.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK: Fact:
// CHECK-SAME: 6000 std::vector<int> in parse (message-tree.cpp:{{[0-9]+}}) grow 7 times each, from 4 B to 512 B, and are copied each time: 42000 allocations
// CHECK-SAME: -> Call reserve
// CHECK-SAME: Likely:
// CHECK-SAME: Each turn of main (message-tree.cpp:{{[0-9]+}}) makes anew what is gone by the next: chunks of 3 points, such as in parse (message-tree.cpp:{{[0-9]+}}), at least 1000 turns
// CHECK-SAME: freed by Message::~Message (message-tree.cpp:{{[0-9]+}}) and perhaps others: 11000 allocations
// CHECK-SAME: -> Keep the object that holds them from turn to turn and fill it again
// REPAIRED: no findings
#include <memory>
#include <string>
#include <vector>

struct Message {
  std::string text;
  std::vector<int> numbers;
  std::vector<std::unique_ptr<Message>> inside;
};

// What is there already is written over, with the memory it has.
__attribute__((noinline)) void parse(Message &to, int turn, int depth) {
  to.text.assign(40, (char)('a' + turn % 26));
  to.numbers.clear();
  for (int i = 0; i < 100; i++)
    to.numbers.push_back(i + turn);
  for (size_t i = 0; depth > 0 && i < 5; i++) {
    if (to.inside.size() <= i)
      to.inside.push_back(std::make_unique<Message>());
    parse(*to.inside[i], turn, depth - 1);
  }
}

__attribute__((noinline)) int total(const Message &of) {
  int sum = of.text[0];
  for (int number : of.numbers)
    sum += number;
  for (const auto &message : of.inside)
    sum += total(*message);
  return sum;
}

int main() {
  int sum = 0;
#ifdef REPAIRED
  Message message;
#endif
  for (int turn = 0; turn < 1000; turn++) {
#ifndef REPAIRED
    Message message;
#endif
    parse(message, turn, 1);
    sum += total(message);
  }
  return sum == 1;
}
