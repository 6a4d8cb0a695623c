// sort-compares.cpp - a comparison that takes records by value, and its twin that takes them by reference.
// The records can be moved: what is copied is copied to be compared.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK: Likely:
// CHECK-SAME: The sort in order (sort-compares.cpp:{{[0-9]+}}) copies Record deeply to compare them: {{[0-9]+}} allocations
// CHECK-SAME: -> Let what compares take Record by const reference. order
// CHECK-SAME: [sort_copies]
// REPAIRED: no findings
#include <algorithm>
#include <string>
#include <vector>

struct Record {
  std::string name;
  int key;
};

#ifdef REPAIRED
typedef const Record &argument;
#else
typedef Record argument;
#endif

static bool is_less(argument a, argument b) { return a.key < b.key; }

__attribute__((noinline)) void order(std::vector<Record> &records) {
  std::sort(records.begin(), records.end(), is_less);
}

int main() {
  std::vector<Record> records;
  records.reserve(1000);
  unsigned random = 1;
  for (int i = 0; i < 1000; i++) {
    random = random * 1103515245 + 12345;
    records.push_back({std::string(40, 'a'), (int)(random >> 16)});
  }
  order(records);
  long sum = 0;
  for (const Record &record : records)
    sum += record.key + record.name[3];
  return sum < 0;
}
