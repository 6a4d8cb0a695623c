// element-copies.cpp - texts are copied into a vector, which is emptied again and again: the chunks are a std::string's,
// not the vector's. The vector grows by elements of 16 bytes from one to four: no two of them fit into what malloc gives
// for one byte.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// CHECK-DAG: Likely: deliver (element-copies.cpp:[[#]]) {{makes its std::string anew each time|allocates std::string of 39 B again and again}}
// CHECK-DAG: lets its std::vector<std::pair<{{[^>]*}}>> grow by few steps, {{[^>]*}}-> Call reserve before it is filled; what it left for more had up to
#include <string>
#include <utility>
#include <vector>

static std::vector<std::string> outbox;

__attribute__((noinline)) static void deliver(const std::string &line) {
  outbox.push_back(line);
}

__attribute__((noinline)) static size_t drain() {
  size_t sum = 0;
  for (const std::string &line : outbox)
    sum += line.size() + (unsigned char)line[3];
  outbox.clear();
  return sum;
}

__attribute__((noinline)) static long row(long number) {
  std::vector<std::pair<long, double>> entries;
  entries.emplace_back(number, 1.0);
  entries.emplace_back(number + 1, 0.5);
  return entries[0].first + entries[1].first;
}

int main() {
  const std::string line = "a line that everybody in the room gets";
  size_t sum = 0;
  for (int i = 0; i < 400; i++) {
    for (int k = 0; k < 10; k++)
      deliver(line);
    sum += drain();
  }
  for (int i = 0; i < 4000; i++)
    sum += (size_t)row(i);
  return sum == 1;
}
