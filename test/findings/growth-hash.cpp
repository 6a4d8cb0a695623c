// growth-hash.cpp - a vector and a hash table grow side by side in one function: the vector's elements are copied each time, of the table nothing is.
// They are two findings, else it would be said that both are copied.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings --limit=0 %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// CHECK-DAG: Fact: 100 std::vector<long> in fill (growth-hash.cpp:[[#]]) grow 7 times each, from 8 B to 1.00 KiB, and are copied each time: 700 allocations
// CHECK-DAG: Fact: 100 std::unordered_map<long, long> in fill (growth-hash.cpp:[[#]]) grow {{[0-9]}} times each, from {{[0-9.]+}} B to {{[0-9.]+}} KiB: {{[0-9]+}} allocations
#include <unordered_map>
#include <vector>

__attribute__((noinline)) static long fill(long count) {
  std::vector<long> list;
  std::unordered_map<long, long> table;
  long sum = 0;
  for (long i = 0; i < count; i++) {
    list.push_back(i);
    table[i * 7] = i;
  }
  for (long i = 0; i < count; i++)
    sum += list[static_cast<unsigned long>(i)] + table.find(i * 7)->second;
  return sum;
}

int main() {
  long sum = 0;
  for (int i = 0; i < 100; i++)
    sum += fill(128);
  return sum == 7;
}
