// copied-each-turn.cpp - a class is copied in each of a few turns, and used until shortly before the next, so that its chunks do not live short.
// As a program that prints data of a few files. The twin takes a reference; with KEPT most copies stay.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=NONE %s
// RUN: %clangxx_heapprof -O2 -g -DKEPT %s -o %t.kept && %run %t.kept
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=NONE %s
// CHECK: Likely: report (copied-each-turn.cpp:[[#]]) copies Table, which allocates, and frees the copy after
// CHECK-SAME: 6000 allocations
// CHECK-SAME: -> Take it by const reference,
// CHECK-SAME: [deep_copy]
// NONE: points
// NONE-NOT: [deep_copy]
#include <list>
#include <string>
#include <vector>

struct Record {
  std::string name, city;
};

struct Table {
  std::list<Record> rows;
};

static std::vector<Table> kept;

static unsigned look(const std::string &text, unsigned sum) {
  for (char letter : text)
    sum = sum * 31 + static_cast<unsigned char>(letter);
  return sum;
}

__attribute__((noinline)) static unsigned report(const Table &all, int turn) {
#ifdef REPAIRED
  const Table &table = all;
  (void)turn;
#else
  Table table = all;
#endif
  unsigned sum = 0;
  for (unsigned again = 0; again < 200; again++)
    for (const Record &row : table.rows)
      sum = look(row.name, look(row.city, sum + again));
#ifdef KEPT
  if (turn % 4)
    kept.push_back(std::move(table));
#endif
  return sum;
}

int main() {
  Table all;
  for (int i = 0; i < 100; i++)
    all.rows.push_back({"customer-with-a-long-name-" + std::to_string(i),
                        "a-city-with-a-long-name-" + std::to_string(i)});
  unsigned sum = 0;
  volatile int turns = 20; /* or the loop is unrolled: 20 lines, not one */
  for (int turn = 0; turn < turns; turn++)
    sum += report(all, turn);
  return sum == 1;
}
