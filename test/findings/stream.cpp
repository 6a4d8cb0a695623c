// stream.cpp - a text that grows inside a std::ostringstream, which cannot reserve, and its twin in a string that can.
// The remedy must be one that exists.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK: std::stringbuf in write_all (stream.cpp:{{[0-9]+}}) grows {{[0-9]+}} times
// CHECK-SAME: -> Append to a std::string that was reserved: a stream cannot reserve.
// CHECK-SAME: [growing]
// REPAIRED: no findings
#include <sstream>
#include <string>

__attribute__((noinline)) int write_all(int count) {
#ifdef REPAIRED
  std::string out;
  out.reserve(64 * count);
#else
  std::ostringstream out;
#endif
  char line[65] =
      "                                                               \n";
  for (int i = 0; i < count; i++) {
    line[i % 60] = 'x';
#ifdef REPAIRED
    out.append(line, 64);
#else
    out.write(line, 64);
#endif
  }
#ifdef REPAIRED
  return out[count];
#else
  return (int)out.tellp();
#endif
}

int main() { return write_all(4096) == 1; }
