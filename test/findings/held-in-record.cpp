// held-in-record.cpp - of containers that are kept too long the one is told whose memory it is: a text inside records that
// a std::vector copies, and rows of a table; it was the outermost, which is small.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=REPAIRED %s
// CHECK-DAG: Likely: 900 chunks of 101 B (std::string) from main (held-in-record.cpp:[[#]]) are kept long after the last use
// CHECK-DAG: Likely: 50 chunks of 4.00 KiB (std::vector<int>) from table (held-in-record.cpp:[[#]]) are kept long after the last use
// REPAIRED-NOT: kept long after
#include <chrono>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

struct Record {
  int key;
  std::string name;
};

static volatile long sink;

static std::vector<std::vector<int>> table() {
  return std::vector<std::vector<int>>(50, std::vector<int>(1024, 1));
}

int main() {
  const std::vector<Record> records(900, Record{1, std::string(100, 'a')});
  std::vector<Record> copies(records);
  for (const Record &record : copies)
    sink += std::accumulate(record.name.begin(), record.name.end(), 0);
  std::vector<std::vector<int>> rows = table();
  for (const std::vector<int> &row : rows)
    sink += std::accumulate(row.begin(), row.end(), 0);
#ifdef REPAIRED
  std::vector<std::vector<int>>().swap(rows);
  std::vector<Record>().swap(copies);
#endif
  // Longer than a program would wait for a processor.
  for (int i = 0; i < 40; i++) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    for (const Record &record : records)
      sink += std::accumulate(record.name.begin(), record.name.end(), 0);
  }
}
