// kept-parts.cpp - an object's arrays, nodes and text are made at one line and kept after their last use: one cause, one finding.
// The twin drops the objects after that.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -O1 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK: Likely: {{~?}}1300 chunks from Curve::Curve (kept-parts.cpp:[[#LINE:]]) are kept long after the last use
// CHECK-SAME: freed by Curve::~Curve (kept-parts.cpp:
// CHECK-SAME: -> Drop it after the last use, or what it is in
// CHECK-NOT: from Curve::Curve
// REPAIRED: points
// REPAIRED-NOT: [freed_late]
#include <map>
#include <memory>
#include <time.h>
#include <vector>

#define CURVES 100
#define POINTS 40

struct Curve {
  std::vector<double> places;
  std::vector<int> corners;
  std::map<int, double> marks;
  std::unique_ptr<int[]> order;
  // clang-format off
  Curve() : places(POINTS), corners(POINTS), order(new int[POINTS]) { for (int i = 0; i < POINTS; i++) { places[i] = i; corners[i] = i % 3; order[i] = i; if (i % 4 == 0) marks[i] = i; } }
  // clang-format on
  ~Curve() {}
};

__attribute__((noinline)) static double length_of(const Curve &c) {
  double sum = 0;
  for (int i = 0; i < POINTS; i++)
    sum += c.places[c.order[i]] * c.corners[i];
  for (const auto &mark : c.marks)
    sum += mark.second;
  return sum;
}

static long long now_ns() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* Longer than a program would wait for a processor. */
static void do_other_work(int ms) {
  for (const long long end = now_ns() + ms * 1000000LL; now_ns() < end;)
    continue;
}

int main() {
  std::vector<std::unique_ptr<Curve>> curves;
  double sum = 0;
  for (int i = 0; i < CURVES; i++) {
    curves.push_back(std::make_unique<Curve>());
    sum += length_of(*curves.back());
  }
#ifdef REPAIRED
  curves.clear();
#endif
  do_other_work(400);
  return sum < 0;
}
