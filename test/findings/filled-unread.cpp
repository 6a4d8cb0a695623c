// filled-unread.cpp - a vector is filled in each call to ask whether there is something in it: nobody reads what it holds, but to move it as it grows.
// Its twin counts; another one is read, so that it only grows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %run %t counts
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=COUNTS %s
// CHECK-DAG: Likely: has_any (filled-unread.cpp:[[#]]) fills 100 std::vector<int>, and what each holds in the end nobody reads: 500 allocations {{.*}} -> Do not fill it: a count does, or a bool, {{[^[]*}}[write_only]
// CHECK-DAG: Fact: 100 std::vector<int> in sum_of (filled-unread.cpp:[[#]]) grow 4 times each
// COUNTS-NOT: has_any
#include <vector>

static bool counts; /* the twin */
static const int limit = 16;

__attribute__((noinline)) static bool has_any(int turn) {
  if (counts) {
    int found = 0;
    for (int i = 0; i < limit; i++)
      found += i != turn;
    return found > 0;
  }
  std::vector<int> found;
  for (int i = 0; i < limit; i++)
    if (i != turn)
      found.push_back(i);
  return !found.empty();
}

__attribute__((noinline)) static int sum_of(int turn) {
  std::vector<int> found;
  int sum = 0;
  for (int i = 0; i < limit; i++)
    found.push_back(i * turn);
  for (int i : found)
    sum += i;
  return sum;
}

int main(int count, char **) {
  counts = count > 1;
  int sum = 0;
  for (int i = 0; i < 100; i++)
    sum += has_any(i + limit) + sum_of(i);
  return sum == 7;
}
