// text-parts.cpp - words are taken out of a line by substr, which copies each; the twin takes a std::string_view.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -std=c++17 -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -std=c++17 -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=REPAIRED %s
// CHECK: Likely: count (text-parts.cpp:[[#]]) makes its std::string anew each time, {{[^>]*}}-> Take a std::string_view of the text, whose substr copies nothing; or keep it from call to call, and assign to it.
// CHECK-SAME: [made_per_call]
// REPAIRED: no findings
#include <string>
#include <string_view>

#ifdef REPAIRED
using Text = std::string_view;
#else
using Text = std::string;
#endif

__attribute__((noinline)) static int count(const Text &line,
                                           const Text &wanted) {
  int found = 0;
  for (size_t at = 0, end; at < line.size(); at = end + 1) {
    end = line.find(';', at);
    const Text word = line.substr(at, end - at);
    found += word == wanted;
  }
  return found;
}

int main() {
  std::string line;
  int found = 0;
  for (int i = 0; i < 50; i++)
    line +=
        i % 2 ? "a word that is long enough;" : "a word that is long though;";
  const std::string wanted = "a word that is long enough";
  for (int i = 0; i < 60; i++)
    found += count(line, wanted);
  return found == 7;
}
