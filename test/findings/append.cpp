// append.cpp - a text that grows by texts with chunks of their own, and its twin that reserves.
// A larger chunk gets bytes of the text and of what is appended: it takes over from the text alone.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK: Fact: std::string in write (append.cpp:{{[0-9]+}}) grows 12 times, from 201 B to 800 KiB, and is copied each time: 12 allocations
// CHECK-SAME: -> Call reserve before it is filled; the last size was 800 KiB.
// CHECK-SAME: [growing]
// CHECK-NOT: [growing]
// REPAIRED-NOT: [growing]
#include <string>

#define ROWS 4000
#define ROW 200

__attribute__((noinline)) std::string row(int number) {
  return std::string(ROW, (char)('a' + number % 26));
}

__attribute__((noinline)) void write(std::string &document) {
  for (int i = 0; i < ROWS; i++)
    document += row(i);
}

int main() {
  std::string document;
#ifdef REPAIRED
  document.reserve(ROWS * ROW);
#endif
  write(document);
  return document[ROW] != 'b';
}
