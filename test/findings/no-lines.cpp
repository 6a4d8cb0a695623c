// no-lines.cpp - a program without debug information, as installed ones are: its own functions are told, not those of its containers.
// What a class of its own does is the program's, though it is named alike. The twin reserves.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O1 -fno-inline %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -O1 -fno-inline -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK-DAG: Fact: 100 std::vector<record> in read_records grow 9 times each
// CHECK-DAG: from vector::push_back are written and never read
// REPAIRED: points
// REPAIRED-NOT: [growing]
#include <vector>

struct record {
  long number, more;
};

/* No container of the library, though a member of it has such a name. */
struct vector {
  record *copy = nullptr;
  void push_back(const record &r) {
    delete copy;
    copy = new record(r);
  }
  ~vector() { delete copy; }
};

static long read_records(int count) {
  std::vector<record> records;
#ifdef REPAIRED
  records.reserve(static_cast<unsigned>(count));
#endif
  for (int i = 0; i < count; i++)
    records.push_back({i, i});
  return records.back().number;
}

static long copies_of(int count) {
  vector last;
  for (int i = 0; i < count; i++)
    last.push_back({i, i});
  return last.copy->number;
}

int main() {
  long sum = 0;
  for (int i = 0; i < 100; i++)
    sum += read_records(300) + copies_of(10);
  return sum == 1;
}
