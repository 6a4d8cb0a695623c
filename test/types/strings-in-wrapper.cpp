// What a wrapper's own strings and containers allocate is not what it returns.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: for flags in -O0 -O2 '-std=c++20 -O0' '-std=c++20 -O2'; do \
// RUN:   %clangxx_heapprof $flags %s -o %t && %run %t && %check_types || \
// RUN:   { echo "with $flags"; exit 1; }; done
#include "rows.h"
#include <cstdlib>
#include <string>
#include <vector>

struct Big {
  int Numbers[25];
};

static std::string Last;
static std::vector<short> Sizes;

__attribute__((noinline)) void *make(size_t Size, const char *Name) {
  Last = Name;                  // TYPE 501 argument char
  Sizes.push_back((short)Size); // TYPE 2 argument short
  return std::malloc(Size);     // TYPE 100 wrapper Big
}

int main() {
  std::string Name(500, 'n'); // TYPE 501 argument char
  keep((void *)Name.data());
  keep(make(sizeof(Big), Name.c_str()));
  keep((void *)Last.data());
  return 0;
}
