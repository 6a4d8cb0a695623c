// libcxx.cpp - with libc++, too, s = s + t is a concatenation, a count of its own is that of a std::shared_ptr, and exceptions are told where the program throws them.
// A std::shared_ptr with a deleter of its own cannot be made otherwise: of its count nothing is said. The twin has none of it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the plain compiler links none with libc++, that is left out.
// RUN: set -- -stdlib=libc++ -std=c++17 -O2 -g %s; if %clangxx "$@" -o %t.plain; then \
// RUN:   %clangxx_heapprof "$@" -o %t && %run %t && \
// RUN:   %heapprof_score --findings --limit=0 %dump/heapprof.* | tr -s '\n ' ' ' > %t.out && FileCheck %s < %t.out && FileCheck --check-prefix=NONE %s < %t.out && \
// RUN:   %clangxx_heapprof "$@" -DREPAIRED -o %t.repaired && %run %t.repaired && \
// RUN:   %heapprof_score --findings --limit=0 %dump/heapprof.* | FileCheck --check-prefix=REPAIRED %s || exit 1; fi
// CHECK-DAG: Likely: list (libcxx.cpp:[[#]]) joins texts by +, which makes a new std::string of up to {{[0-9.]+}} KiB each time: {{[^>]*}}-> Append by += {{[^[]*}}[concatenation]
// CHECK-DAG: Likely: from_pointer (libcxx.cpp:[[#]]) makes each std::shared_ptr of an object that was allocated before, so that its count takes an allocation of its own: 500 allocations {{[^>]*}}-> Call std::make_shared,
// CHECK-DAG: Likely: from_unique (libcxx.cpp:[[#]]) makes each std::shared_ptr of an object that was allocated before, {{[^:]*}}: 500 allocations
// CHECK-DAG: Likely: fail (libcxx.cpp:[[#]]) makes exceptions again and again, 500 in all, of 2 allocations each: 1000 allocations {{[^>]*}}-> Where that is no rare failure, return it
// NONE-NOT: {{__cxa_|with_deleter \(libcxx.cpp:[0-9]+\) makes}}
// REPAIRED-NOT: {{\[(concatenation|shared_count|object_per_call)\]}}
#include <memory>
#include <stdexcept>
#include <string>

#define APART __attribute__((noinline))

struct Point {
  long x, y, z;
};
using Points = std::shared_ptr<Point>[50];

APART static long list(int count) {
  std::string all;
  for (int i = 0; i < count; i++)
#ifdef REPAIRED
    all += "an item of the list, ";
#else
    all = all + "an item of the list, ";
#endif
  return all[100];
}

APART static void from_pointer(Points &points, int i) {
#ifdef REPAIRED
  points[i % 50] = std::make_shared<Point>(Point{i, 1, 2});
#else
  points[i % 50] = std::shared_ptr<Point>(new Point{i, 1, 2});
#endif
}

APART static void from_unique(Points &points, int i) {
#ifdef REPAIRED
  points[i % 50] = std::make_shared<Point>(Point{i, 1, 2});
#else
  points[i % 50] = std::make_unique<Point>(Point{i, 1, 2});
#endif
}

APART static void with_deleter(Points &points, int i) {
  points[i % 50] = std::shared_ptr<Point>(new Point{i, 1, 2},
                                          [](Point *point) { delete point; });
}

APART static void fail(int i) {
#ifndef REPAIRED
  if (i >= 0)
    throw std::runtime_error("what a caller is told, in more than 22 words");
#endif
}

APART static long caught(int i) {
  try {
    fail(i);
  } catch (const std::exception &error) {
    return error.what()[1];
  }
  return i;
}

int main() {
  Points points[3];
  long sum = list(500);
  for (int i = 0; i < 500; i++) {
    from_pointer(points[0], i);
    from_unique(points[1], i);
    with_deleter(points[2], i);
    for (auto &some : points)
      sum += some[i % 50]->x + some[i % 50]->y;
    sum += caught(i);
  }
  return sum == 7;
}
