// held-elsewhere.cpp - a vector that an object fills anew in each call, where the object's owner is the caller: it can keep the object.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' > %t.out && FileCheck %s < %t.out && FileCheck --check-prefix=RESULT %s < %t.out
// RUN: %clangxx_heapprof -O1 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK: Parts::add ({{[^)]*}}) makes its std::vector<long> anew each time
// CHECK-SAME: {{^[^;]*}}; freed by {{Parts::~Parts|parse}}
// CHECK-SAME: -> Keep the object that holds it from call to call, and clear it instead of freeing it
// A text that is returned is freed by the caller, too, which can keep it and have it filled:
// RESULT: named (held-elsewhere.cpp:[[#]]) makes its std::string anew each time, {{[^;]*}}; freed by use (held-elsewhere.cpp:[[#]])
// RESULT-SAME: -> Keep the object that holds it from call to call, and clear it instead of freeing it; if it is the result, let the caller give one to fill.
// REPAIRED: no findings
#include <string>
#include <vector>

struct Parts {
  std::vector<long> Kept;
  __attribute__((noinline)) void add(long N) { Kept.push_back(N); }
};

#ifdef REPAIRED
#define OWN static
#else
#define OWN
#endif

__attribute__((noinline)) long parse(long N) {
  OWN Parts P;
  P.Kept.clear();
  P.add(N);
  return P.Kept[0];
}

#ifdef REPAIRED
__attribute__((noinline)) void named(long N, std::string &Text) {
  Text.assign(static_cast<unsigned long>(40 + N % 7), 'x');
}
#else
__attribute__((noinline)) std::string named(long N) {
  return std::string(static_cast<unsigned long>(40 + N % 7), 'x');
}
#endif

__attribute__((noinline)) long use(long N) {
#ifdef REPAIRED
  static std::string Text(64, 'x');
  named(N, Text);
#else
  const std::string Text = named(N);
#endif
  return Text[3];
}

int main() {
  long Sum = 0;
  for (long I = 0; I < 20000; I++)
    Sum += parse(I) + use(I);
  return Sum == 1;
}
