// sort-copies.cpp - records that a sort copies deeply, and their twin that it moves.
// As bamtools' sort did: one copy constructor in most of the stacks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK: Likely:
// CHECK-SAME: The sort in order (sort-copies.cpp:{{[0-9]+}}) copies Record deeply: 12285
// CHECK-SAME: -> Give Record a move constructor
// CHECK-SAME: [sort_copies]
// REPAIRED: no findings
#include <algorithm>
#include <string>
#include <vector>

struct Record {
  int key;
  std::string name;
  std::vector<int> tags;
  Record(int k) : key(k), name(40, 'a'), tags(12, k) {}
#ifndef REPAIRED
  // A destructor or copy of one's own takes the moves away.
  Record(const Record &other)
      : key(other.key), name(other.name), tags(other.tags) {}
  Record &operator=(const Record &other) {
    key = other.key;
    name = other.name;
    std::vector<int> copy(other.tags);
    tags.swap(copy);
    return *this;
  }
#endif
};

__attribute__((noinline)) void order(std::vector<Record> &records) {
  std::sort(records.begin(), records.end(),
            [](const Record &a, const Record &b) { return a.key < b.key; });
}

int main() {
  std::vector<Record> records;
  records.reserve(1000);
  unsigned random = 1;
  for (int i = 0; i < 1000; i++) {
    random = random * 1103515245 + 12345;
    records.emplace_back(random >> 16);
  }
  order(records);
  long sum = 0;
  for (const Record &record : records)
    sum += record.key + record.name[3] + record.tags[3];
  return sum < 0;
}
