// A header that says #pragma GCC system_header, but is not where the system's are, is the program's.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: %clangxx_heapprof -O2 %s -o %t && %run %t && %check_types
#include "Inputs/quiet-header.h"
#include "rows.h"

void *Arrays::make(size_t Size, size_t Count) { return malloc(Size * Count); }

struct Wide {
  char C[136];
};

int main() {
  keep(Arrays::of<Wide>(3));               // TYPE 408 wrapper Wide
  keep(reinterpret_cast<Q *>(textOf(88))); // TYPE 88 wrapper Q
  return 0;
}
