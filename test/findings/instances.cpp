// instances.cpp - one line of a template, of a function, a generic lambda or a class, is changed once for all that it is there for: it is
// one finding. What two functions that are no instances do at one line, as those of a macro, are two.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -std=c++17 -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %heapprof_score --json %dump/heapprof.* | %python -c "import json, sys; print(sorted(f['other_instances'] for f in json.load(sys.stdin)['findings']))" | FileCheck --check-prefix=JSON %s
// RUN: %clangxx_heapprof -std=c++17 -O1 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=REPAIRED %s
// CHECK-DAG: Fact: 600 std::vector<int> in squares_of<Step<{{[123]}}>> (instances.cpp:[[#]]) grow 4 times each, from 4 B to 64 B, and are copied each time, and so in 2 other instances of it: 2400 allocations
// CHECK-DAG: 400 chunks of 40 B (char) from Writer<{{.*}}>::note (instances.cpp:[[#]]) are written and never read, and so in 1 other instance of it: 400 allocations
// CHECK-DAG: 300 chunks of 48 B (char) from left (instances.cpp:[[#]]) are written and never read: 300 allocations
// CHECK-DAG: 300 chunks of 48 B (char) from right (instances.cpp:[[#]]) are written and never read: 300 allocations
// JSON: [0, 0, 1, 2]
// REPAIRED: no findings
#include <cstring>
#include <vector>

#define APART __attribute__((noinline))

template <int step> struct Step {
  int operator()(int i) const { return i * step; }
};

template <class Make> APART static int squares_of(Make make) {
  std::vector<int> squares;
#ifdef REPAIRED
  int room[16], sum = 0;
  for (int i = 0; i < 16; i++)
    room[i] = make(i) * make(i);
  for (int square : room)
    sum += square;
  return sum + static_cast<int>(squares.size());
#else
  int sum = 0;
  for (int i = 0; i < 16; i++)
    squares.push_back(make(i) * make(i));
  for (int square : squares)
    sum += square;
  return sum;
#endif
}

static char *kept[1600];
static int kept_count;

template <class Number> struct Writer {
  Number last;
  APART void note(Number number) {
    last = number;
#ifndef REPAIRED
    char *text = new char[40];
    memset(text, 'x', 40);
    kept[kept_count++] = text;
#endif
  }
};

#ifdef REPAIRED
#define TWO()
#else
#define ONE(name)                                                              \
  APART static void name() {                                                   \
    char *text = new char[48];                                                 \
    memset(text, 'y', 48);                                                     \
    kept[kept_count++] = text;                                                 \
  }
// clang-format off
ONE(left) ONE(right)
// clang-format on
#define TWO() (left(), right())
#endif

int main() {
  Writer<int> whole{};
  Writer<double> real{};
  int sum = 0;
  for (int i = 0; i < 200; i++) {
    sum +=
        squares_of(Step<1>()) + squares_of(Step<2>()) + squares_of(Step<3>());
    whole.note(i);
    real.note(i);
  }
  for (int i = 0; i < 300; i++)
    TWO();
  for (int i = 0; i < kept_count; i++)
    delete[] kept[i];
  return sum == 7;
}
