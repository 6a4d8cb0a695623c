// wiped.cpp - what is wiped before it is freed held something else: buckets of a hash table, which its destructor sets to zero, and keys. Not told as mostly zero.
// Mostly zero is what nobody else wrote. Its like are told in mostly-zero.c.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O2 -g %s -o %t && env HEAPPROF_OPTIONS=contents=1 %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck %s
// CHECK-NOT: [mostly_zero]
#include <cstdlib>
#include <cstring>
#include <string>
#include <unordered_set>

__attribute__((noinline)) static int use_key(int number) {
  char *key = static_cast<char *>(malloc(256));
  int sum = 0;
  for (int i = 0; i < 256; i++)
    key[i] = static_cast<char>(number * 7 + i);
  for (int i = 0; i < 256; i++)
    sum += key[i];
  memset(key, 0, 256);
  asm volatile("" : : "r"(key) : "memory"); // no dead store
  free(key);
  return sum;
}

int main() {
  int sum = 0;
  for (int table = 0; table < 20; table++) {
    std::unordered_set<int> numbers;
    numbers.reserve(1500);
    for (int i = 0; i < 1500; i++)
      numbers.insert(i * 13);
    for (int i = 0; i < 3000; i++)
      sum += static_cast<int>(numbers.count(i));
    sum += use_key(table);
  }
  return sum == 1;
}
