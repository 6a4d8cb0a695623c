/* freed-at-exit.cpp - what a global object holds is freed by nobody of the program; what drops it sooner is the remedy.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clangxx_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// CHECK: (std::string) from add (freed-at-exit.cpp:{{[0-9]+}}) are kept long after the last use:
// CHECK-SAME: -> Drop it after the last use, or what it is in; clear alone keeps the memory, which shrink_to_fit gives back.
#include <cstdlib>
#include <string>
#include <vector>

static std::vector<std::string> names;

__attribute__((noinline)) static void add(int number) {
  names.push_back("a name that is long enough " + std::to_string(number));
}

int main() {
  long sum = 0;
  for (int i = 0; i < 20000; i++)
    add(i);
  for (const std::string &name : names)
    sum += name[3];
  for (int i = 0; i < 3000000; i++) {
    char *work =
        static_cast<char *>(std::malloc(i ? 100 : 1500000)); // the peak
    work[3] = static_cast<char>(i);
    sum += *static_cast<volatile char *>(work + 3);
    std::free(work);
  }
  return sum == 7;
}
