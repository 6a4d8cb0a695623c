// exceptions-static.cpp - exceptions are told where the program throws them also where the C++ library is in the program, and has no source lines.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O1 -g -static-libstdc++ %s -o %t && %run %t
// RUN: %heapprof_score --findings --limit=0 %dump/heapprof.* | tr -s '\n ' ' ' > %t.out && FileCheck %s < %t.out && FileCheck --check-prefix=NONE %s < %t.out
// CHECK: Likely: fail (exceptions-static.cpp:[[#]]) makes exceptions again and again, 500 in all, of 2 allocations each: 1000 allocations {{[^>]*}}-> Where that is no rare failure, return it
// NONE-NOT: {{__cxa_|_Rep::|_error::}}
#include <stdexcept>

__attribute__((noinline)) static void fail(int i) {
  if (i >= 0)
    throw std::runtime_error("what a caller is told, in more than 22 words");
}

static long caught(int i) {
  try {
    fail(i);
  } catch (const std::exception &error) {
    return error.what()[1];
  }
  return i;
}

int main() {
  long sum = 0;
  for (int i = 0; i < 500; i++)
    sum += caught(i);
  return sum == 7;
}
