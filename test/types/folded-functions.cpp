// Functions of the same code that allocate different types stay two where the linker folds such functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22, lld
// RUN: for level in -O1 -O2 -Oz; do \
// RUN:   %clangxx_heapprof $level -ffunction-sections -fuse-ld=lld -Wl,--icf=all %s -o %t && %run %t && %check_types || \
// RUN:     { echo "at $level"; exit 1; }; done
#include "rows.h"

struct Left {
  char C[311];
};
struct Right {
  char C[311];
};
__attribute__((noinline)) Left *makeLeft() { return new Left; }
__attribute__((noinline)) Right *makeRight() { return new Right; }

int main() {
  keep(makeLeft());  // TYPE 311 argument Left
  keep(makeRight()); // TYPE 311 argument Right
  return 0;
}
