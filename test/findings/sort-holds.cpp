// sort-holds.cpp - sorts that copy what they compare by: a lambda that has captured a table, a class that has one, and a std::function; the twins hold pointers, or are given by std::ref.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' > %t.out && FileCheck %s < %t.out && FileCheck --check-prefix=NONE %s < %t.out
// RUN: %clangxx_heapprof -O1 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=REPAIRED %s
// CHECK-DAG: Likely: The sort in by_lambda (sort-holds.cpp:[[#]]) copies what it compares by, with all that this holds: {{[^>]*}}-> Let it capture, or have, references or pointers; or give the sort std::ref of it, which is one.
// CHECK-DAG: Likely: The sort in by_class (sort-holds.cpp:[[#]]) copies what it compares by, with all that this holds:
// CHECK-DAG: Likely: The sort in by_function (sort-holds.cpp:[[#]]) copies what it compares by, with all that this holds:
// NONE-NOT: {{__gnu_cxx|copies std::|elements deeply}}
// REPAIRED: points
// REPAIRED-NOT: [sort_copies]
#include <algorithm>
#include <functional>
#include <vector>

#define APART __attribute__((noinline))

using Ranks = std::vector<int>;

static std::vector<int> numbers() {
  std::vector<int> all;
  for (int i = 0; i < 100; i++)
    all.push_back(i);
  return all;
}

APART static int by_lambda(const Ranks &ranks) {
  std::vector<int> all = numbers();
#ifdef REPAIRED
  std::sort(all.begin(), all.end(),
            [&ranks](int a, int b) { return ranks[a] < ranks[b]; });
#else
  std::sort(all.begin(), all.end(),
            [ranks](int a, int b) { return ranks[a] < ranks[b]; });
#endif
  return all[0];
}

struct ByRank {
  Ranks ranks;
  bool operator()(int a, int b) const { return ranks[a] < ranks[b]; }
};

APART static int by_class(const Ranks &ranks) {
  std::vector<int> all = numbers();
  ByRank order{ranks};
#ifdef REPAIRED
  std::sort(all.begin(), all.end(), std::ref(order));
#else
  std::sort(all.begin(), all.end(), order);
#endif
  return all[0];
}

APART static int by_function(const std::function<bool(int, int)> &order) {
  std::vector<int> all = numbers();
#ifdef REPAIRED
  std::sort(all.begin(), all.end(), std::cref(order));
#else
  std::sort(all.begin(), all.end(), order);
#endif
  return all[0];
}

int main() {
  Ranks ranks;
  int sum = 0;
  for (int i = 0; i < 100; i++)
    ranks.push_back(i * 37 % 100);
  const std::function<bool(int, int)> order = [ranks](int a, int b) {
    return ranks[a] < ranks[b];
  };
  for (int i = 0; i < 20; i++)
    sum += by_lambda(ranks) + by_class(ranks) + by_function(order);
  return sum == 7;
}
