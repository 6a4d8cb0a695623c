// std::make_unique is the new-expression in it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: %clangxx_heapprof -O2 %s -o %t && %run %t && %check_types
#include "rows.h"
#include <memory>

template <int N> struct Unique {
  long L[N];
};

int main() {
  auto One = std::make_unique<Unique<72>>();     // TYPE 576 argument Unique<72>
  auto Many = std::make_unique<Unique<3>[]>(31); // TYPE 744 argument Unique<3>
  keep(One.get());
  keep(Many.get());
  return 0;
}
