// without-reserve.cpp - a std::priority_queue, a std::stack of a vector and a std::deque are filled in each call: none of them has reserve, so that they want a vector that was reserved, or what keeps its memory.
// The twin does so.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -std=c++17 -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings --limit=0 %dump/heapprof.* | tr -s '\n ' ' ' > %t.out && FileCheck %s < %t.out && FileCheck --check-prefix=NONE %s < %t.out
// RUN: %clangxx_heapprof -std=c++17 -O1 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings --limit=0 %dump/heapprof.* | FileCheck --check-prefix=REPAIRED %s
// CHECK-DAG: 40 std::priority_queue<int, std::vector<int>> in largest (without-reserve.cpp:[[#]]) grow 8 times each, from 4 B to 1.00 KiB, {{[^>]*}}-> Keep it from call to call and empty it, so that it grows once. Or give it a vector that was reserved, by std::move: a std::priority_queue has no reserve of its own; the last size was 1.00 KiB. largest(
// CHECK-DAG: 40 std::stack<int, std::vector<int>> in backwards (without-reserve.cpp:[[#]]) grow 8 times each, from 4 B to 1.00 KiB, {{[^>]*}}-> Keep it from call to call and empty it, so that it grows once. Or give it a vector that was reserved, by std::move: a std::stack has no reserve of its own; the last size was 1.00 KiB. backwards(
// CHECK-DAG: 40 std::deque<Block> in passed (without-reserve.cpp:[[#]]) grow {{[0-9]+}} times each, {{[^>]*}}-> {{(Keep it from call to call and clear it, so that it grows once. Or use|Use)}} a std::vector that was reserved, or a ring buffer: a std::deque has no reserve for the list of its blocks, which is what grows. passed(
// NONE-NOT: Call reserve
// REPAIRED-NOT: [growing]
#include <cstdio>
#include <deque>
#include <queue>
#include <stack>
#include <utility>
#include <vector>

static const int limit = 200;

/* Of which a block of a deque has one. */
struct Block {
  int numbers[128];
};

__attribute__((noinline)) static int largest(int turn) {
#ifdef REPAIRED
  std::vector<int> room;
  room.reserve(limit);
  std::priority_queue<int> values({}, std::move(room));
#else
  std::priority_queue<int> values;
#endif
  for (int i = 0; i < limit; i++)
    values.push((i + turn) * 7919 % 1000);
  int sum = 0;
  for (; !values.empty(); values.pop())
    sum = sum / 2 + values.top();
  return sum;
}

__attribute__((noinline)) static int backwards(int turn) {
#ifdef REPAIRED
  std::vector<int> room;
  room.reserve(limit);
  std::stack<int, std::vector<int>> values(std::move(room));
#else
  std::stack<int, std::vector<int>> values;
#endif
  for (int i = 0; i < limit; i++)
    values.push(i * turn);
  int sum = 0;
  for (; !values.empty(); values.pop())
    sum = sum / 2 + values.top();
  return sum;
}

__attribute__((noinline)) static int passed(int turn) {
#ifdef REPAIRED
  std::vector<Block> blocks;
  blocks.reserve(limit);
#else
  std::deque<Block> blocks;
#endif
  for (int i = 0; i < limit; i++)
    blocks.push_back(Block{{i, turn}});
  int sum = 0;
  for (const Block &block : blocks)
    sum += block.numbers[0] * block.numbers[1];
  return sum;
}

int main() {
  int sum = 0;
  for (int i = 0; i < 40; i++)
    sum += largest(i) + backwards(i) + passed(i);
  std::printf("%d\n", sum);
}
