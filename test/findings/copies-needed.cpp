// copies-needed.cpp - copies that look like waste, and are none: the original is
// used on, each copy is changed, and both stay.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck %s
// CHECK-NOT: deep_copy
#include <string>
#include <vector>

struct Board {
  std::vector<int> fields;
  std::string moves;
  Board() : fields(64, 0), moves(40, '-') {}
};

__attribute__((noinline)) void play(std::vector<Board> &boards, int move) {
  boards.push_back(boards.back());
  boards.back().fields[static_cast<size_t>(move % 64)] = move;
  boards.back().moves[static_cast<size_t>(move % 40)] = 'x';
}

int main() {
  std::vector<Board> boards;
  boards.reserve(3001);
  boards.emplace_back();
  for (int i = 0; i < 3000; i++)
    play(boards, i);
  long sum = 0;
  for (const Board &board : boards)
    sum += board.fields[3] + board.moves[3];
  return sum < 0;
}
