// places-constant.cpp - a member that makes room by its name, but is const, and returns another object that it fills: it is the place, where to reserve, whatever two functions call it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=REPAIRED %s
// CHECK: Fact: 600 std::vector<char> in Sequence::addGaps (places-constant.cpp:29) grow {{[0-9]+}} times each, {{.*}} Or call reserve before it is filled;
// REPAIRED-NOT: [growing]
#include <string>
#include <vector>

#define APART __attribute__((noinline))

struct Sequence {
  std::vector<char> letters;
  APART Sequence *addGaps(const std::string &path) const;
};

Sequence *Sequence::addGaps(const std::string &path) const {
  auto *made = new Sequence;
#ifdef REPAIRED
  made->letters.reserve(path.size());
#endif
  size_t at = 0;
  for (char step : path)
    if (step == '-')
      made->letters.push_back('-');
    else
      made->letters.push_back(letters[at++]);
  return made;
}

APART static long left(const Sequence &row, const std::string &path) {
  const Sequence *made = row.addGaps(path);
  const long sum = made->letters[7] + made->letters[60];
  delete made;
  return sum;
}

APART static long right(const Sequence &row, const std::string &path) {
  const Sequence *made = row.addGaps(path);
  const long sum = made->letters[9] - made->letters[70];
  delete made;
  return sum;
}

int main() {
  Sequence row;
  std::string path;
  row.letters.assign(200, 'A');
  path.assign(200, 'X');
  long sum = 0;
  for (int i = 0; i < 300; i++)
    sum += left(row, path) + right(row, path);
  return sum == 7;
}
