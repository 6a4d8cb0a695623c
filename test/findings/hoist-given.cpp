// hoist-given.cpp - a vector made anew in each call, filled by a function that gets it by reference; its twin keeps it.
// Who fills it need not be who makes it, and so is not told to keep it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -O1 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK: Likely:
// CHECK-SAME: append (hoist-given.cpp:{{[0-9]+}}) fills std::vector<int> made anew each time
// CHECK-SAME: -> Keep it from call to call where it is made
// CHECK-SAME: [made_per_call]
// REPAIRED: no findings
#include <string>
#include <vector>

__attribute__((noinline)) void append(std::vector<int> &to,
                                      const std::string &from) {
  to.assign(from.begin(), from.end());
}

__attribute__((noinline)) void decode(std::vector<int> *to,
                                      const std::string &from) {
  append(*to, from);
  to->back()++;
}

__attribute__((noinline)) size_t length(const std::string &text,
                                        const std::vector<int> &seen) {
#ifdef REPAIRED
  static
#endif
      std::vector<int>
          codes;
  codes.clear();
  decode(&codes, text);
  size_t sum = 0;
  for (int code : codes)
    sum += size_t(code) % 128 + seen.size();
  return sum;
}

int main() {
  const std::vector<int> seen;
  const std::string text = "word";
  size_t sum = 0;
  for (int i = 0; i < 20000; i++)
    sum += length(text, seen);
  return sum == 1;
}
