// deep-copy-filled.cpp - each record is filled member by member and then copied into a vector, though it is dropped at once; its twin moves it.
// With KEPT one record is filled again and again: the copies are needed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=NONE %s
// RUN: %clangxx_heapprof -O2 -g -DKEPT %s -o %t.kept && %run %t.kept
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=NONE %s
// CHECK: Likely: read (deep-copy-filled.cpp:[[#]]) copies Record, which allocates, and what it copies is soon freed: 4000 allocations
// CHECK-SAME: -> Move it: std::move,
// CHECK-SAME: [deep_copy]
// NONE: points
// NONE-NOT: [deep_copy]
#include <string>
#include <utility>
#include <vector>

struct Record {
  std::string name;
  std::vector<long> values;
};

__attribute__((noinline)) static void fill(Record &record, long number) {
  record.name = "the name of this record";
  record.name[4] = static_cast<char>('a' + number % 16);
  record.values.assign({number, number + 1, number + 2});
}

__attribute__((noinline)) static std::vector<Record> read(long count) {
  std::vector<Record> records;
#ifdef KEPT
  Record record;
#endif
  records.reserve(static_cast<size_t>(count));
  for (long i = 0; i < count; i++) {
#ifndef KEPT
    Record record;
#endif
    fill(record, i);
#ifdef REPAIRED
    records.push_back(std::move(record));
#else
    records.push_back(record);
#endif
  }
  return records;
}

int main() {
  long sum = 0;
  for (const Record &record : read(2000))
    sum += record.name[4] + record.values[1];
  return sum == 7;
}
