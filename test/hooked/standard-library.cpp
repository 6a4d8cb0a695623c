/* standard-library.cpp - what libstdc++ and libc allocate for themselves: pools, buffers of streams, exceptions.
   Unknown accesses, in no mean; containers of the program, whose code is inline, are known.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// REQUIRES: llvm-22
// RUN: for o in -O0 -O2; do \
// RUN:   %clangxx_heapprof $o -g %s -o %t && %run %t > /dev/null && \
// RUN:   %heapprof_score --json %dump/heapprof.* > %t.json && %python %S/Inputs/known_types.py < %t.json > %t.out && FileCheck --check-prefix=TYPES --input-file=%t.out %s || exit 1; done
// RUN: %heapprof_score %dump/heapprof.* | FileCheck %s
// TYPES-DAG: {{^}}int: known{{$}}
// TYPES-DAG: {{^}}std::runtime_error: unknown{{$}}
// TYPES-DAG: {{^}}stdio buffer: unknown{{$}}
// CHECK: usage {{ *}}1.00 {{ *}}1.00
// CHECK: not in usage, useful life:
// CHECK: ? accesses not seen
#include <cstdio>
#include <iostream>
#include <stdexcept>
#include <vector>

int main() {
  std::vector<int> numbers(1000, 1);
  long sum = 0;
  for (int n : numbers)
    sum += n;
  try {
    throw std::runtime_error("none");
  } catch (const std::exception &) {
    std::cout << sum << '\n';
  }
  std::printf("%ld\n", sum);
}
