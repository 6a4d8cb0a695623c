// growth-last.cpp - texts that grow at some lines, and most of them last at another one: of these none began there, and there are several.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -O1 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=REPAIRED %s
// CHECK: Several std::string in save (growth-last.cpp:[[#]]) grow up to 4 times, from 1.17 KiB to 18.7 KiB, and are copied each time: 118 allocations
// REPAIRED-NOT: growing
#include <string>

__attribute__((noinline)) static long save(const std::string &part) {
#ifdef REPAIRED
  std::string code;
  code.reserve(10 * part.size());
  code += part;
#else
  std::string code = part;
#endif
  code += part;
  code += part;
  code += part;
  code += part;
  if (part.size() < 1200)
    code += std::string(5 * part.size(), 'z');
  return code[3] + code[code.size() / 2];
}

int main() {
  long sum = 0;
  for (size_t i = 1; i <= 150; i++)
    sum += save(std::string(16 + 10 * i, 'y'));
  return sum == 7;
}
