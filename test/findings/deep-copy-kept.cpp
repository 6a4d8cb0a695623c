// deep-copy-kept.cpp - one line copies records into lists: short ones at a point where the list grows, many that stay at
// another, where it has room.  A move at that line saves all of them.  With KEPT defined all stay, which is no waste.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=NONE %s
// RUN: %clangxx_heapprof -O2 -g -DKEPT %s -o %t.kept && %run %t.kept
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=NONE %s
// CHECK: Likely: put (deep-copy-kept.cpp:{{[0-9]+}}) copies Record, which allocates, and frees some of the copies soon: 800 allocations
// CHECK-SAME: [deep_copy]
// NONE-NOT: [deep_copy]
#include <cstdio>
#include <utility>
#include <vector>

#define NOINLINE __attribute__((noinline))

struct Record {
  std::vector<long> fields;
};

NOINLINE void put(std::vector<Record> &list, const std::vector<long> &fields) {
  static Record record; /* not dropped: what it has is needed again */
  record.fields = fields;
#ifdef REPAIRED
  list.push_back(std::move(record));
#else
  list.push_back(record);
#endif
}

NOINLINE long sum_of(const std::vector<Record> &list) {
  long sum = 0;
  for (const Record &record : list)
    for (long field : record.fields)
      sum += field;
  return sum;
}

int main() {
  const std::vector<long> fields(20, 7);
  std::vector<Record> all;
  long sum = 0;
  all.reserve(800);
#ifdef KEPT
  for (int i = 0; i < 800; i++)
    put(all, fields);
#else
  for (int i = 0; i < 300; i++)
    put(all, fields);
  for (int i = 0; i < 500; i++) {
    std::vector<Record> one;
    put(one, fields);
    sum += sum_of(one);
  }
#endif
  printf("%ld\n", sum + sum_of(all));
}
