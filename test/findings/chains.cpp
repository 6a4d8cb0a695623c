// chains.cpp - containers that grow side by side: each chain of their storage is followed from chunk to chunk.
// Copied as bytes, moved element by element, copied with what the elements own, linked anew; at every level.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -O0 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// CHECK: Fact:
// CHECK-DAG: 200 std::vector<int> in integers (chains.cpp:{{[0-9]+}}) grow 9 times each, from 4 B to 2.00 KiB, and are copied each time: 1800 allocations{{[^,]*}}, 399 KiB copied
// CHECK-DAG: 50 std::vector<std::string> in texts (chains.cpp:{{[0-9]+}}) grow 8 times each, from 32 B to 8.00 KiB, and are copied each time: 400 allocations{{[^,]*}}, 39{{[78]}} KiB copied
// CHECK-DAG: 20 std::vector<Named> in names (chains.cpp:{{[0-9]+}}) grow {{[56]}} times each, from {{[48]}}0 B to 2.50 KiB, and are copied each time: 1{{[02]}}0 allocations{{[^,]*}}, 4{{[89.]*}}{{[0-9.]*}} KiB copied
// CHECK-DAG: 60 std::vector<std::unique_ptr<int>> in owners (chains.cpp:{{[0-9]+}}) grow 5 times each, from 8 B to 256 B, and are copied each time: 300 allocations{{[^,]*}}, 14.5 KiB copied
// CHECK-DAG: 40 std::string in lines (chains.cpp:{{[0-9]+}}) grow 6 times each, from 31 B to 1.88 KiB, and are copied each time: 240 allocations
// CHECK-DAG: 60 std::unordered_map<int, int> in index (chains.cpp:{{[0-9]+}}) grow 3 times each, from 104 B to 1016 B: 180 allocations{{[^,.]*}}.
#include <cstdlib>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#define NOINLINE __attribute__((noinline))

// Copied, not moved, when a vector grows: its move constructor may throw.
struct Named {
  std::string name;
  long number;
  Named(long number) : name(40, 'x'), number(number) {}
  Named(const Named &other) : name(other.name), number(other.number) {}
};

NOINLINE long integers() {
  std::vector<std::vector<int>> lists(200);
  for (int k = 0; k < 400; k++)
    for (auto &list : lists)
      list.push_back(k);
  long sum = 0;
  for (auto &list : lists)
    for (int x : list)
      sum += x;
  return sum;
}

NOINLINE long texts() {
  std::vector<std::vector<std::string>> lists(50);
  for (int k = 0; k < 200; k++)
    for (auto &list : lists)
      list.push_back("short");
  long sum = 0;
  for (auto &list : lists)
    for (auto &text : list)
      sum += text[0];
  return sum;
}

NOINLINE long names() {
  std::vector<std::vector<Named>> lists(20);
  for (int k = 0; k < 60; k++)
    for (auto &list : lists)
      list.push_back(Named(k));
  long sum = 0;
  for (auto &list : lists)
    for (auto &named : list)
      sum += named.number + named.name[0];
  return sum;
}

NOINLINE long owners() {
  std::vector<std::vector<std::unique_ptr<int>>> lists(60);
  for (int k = 0; k < 20; k++)
    for (auto &list : lists)
      list.push_back(std::make_unique<int>(k));
  long sum = 0;
  for (auto &list : lists)
    for (auto &owner : list)
      sum += *owner;
  return sum;
}

NOINLINE long lines() {
  std::vector<std::string> lines(40);
  for (int k = 0; k < 1500; k++)
    for (auto &line : lines)
      line.push_back((char)('a' + k % 26));
  long sum = 0;
  for (auto &line : lines)
    for (char c : line)
      sum += c;
  return sum;
}

NOINLINE long index() {
  std::vector<std::unordered_map<int, int>> maps(60);
  for (int k = 0; k < 60; k++)
    for (auto &map : maps)
      map[k] = k;
  long sum = 0;
  for (auto &map : maps)
    for (auto &entry : map)
      sum += entry.second;
  return sum;
}

int main() {
  return integers() + texts() + names() + owners() + lines() + index() == 0;
}
