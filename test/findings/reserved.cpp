// reserved.cpp - room reserved and mostly never touched takes no memory: less of it gains nothing, and nothing is promised.
// Buffers that are too small to have pages of their own take what was asked for: their waste is told (oversized.c).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck %s
// RUN: %heapprof_score --json %dump/heapprof.* | FileCheck --check-prefix=JSON %s
// RUN: %clangxx_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck %s
// CHECK: peak {{.*}} resident), live at the end
// CHECK: no findings
// JSON: "cpu_ns": {{[1-9][0-9]+}},
// JSON-SAME: "peak_resident_bytes": {{[1-9]}}
// JSON: "peak_touched_bytes": {{[1-9][0-9][0-9][0-9][0-9][0-9]}},
// JSON: "bytes_at_global_peak": 176000000, "peak_touched_bytes": {{[1-9][0-9][0-9][0-9][0-9][0-9]}},
#include <cstdio>
#include <vector>

struct Record {
  double values[40];
};

#ifdef REPAIRED
static const size_t ROOM = 500;
#else
static const size_t ROOM = 550000;
#endif

int main(void) {
  std::vector<Record> records;
  records.reserve(ROOM);
  for (int i = 0; i < 500; i++)
    records.push_back({{double(i)}});
  double sum = 0;
  for (const Record &record : records)
    for (double value : record.values)
      sum += value;
  return sum == 1;
}
