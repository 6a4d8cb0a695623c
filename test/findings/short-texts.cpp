// short-texts.cpp - a line is joined of short parts by + and moved into one that is kept, and split into a vector of texts: what each + makes wants +=, and what substr makes a view.
// The twin does so.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -std=c++17 -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings --limit=0 %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -std=c++17 -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings --limit=0 %dump/heapprof.* | FileCheck --check-prefix=REPAIRED %s
// CHECK-DAG: Likely: main (short-texts.cpp:[[#JOINED:]]) lets its std::string grow by few steps{{[^>]*}}-> Append the parts by += to a text that is kept and cleared: each + makes a new one, or lets one grow that has no room. main {{[^[]*}}[growing]
// CHECK-DAG: Likely: main (short-texts.cpp:[[#JOINED]]) {{(allocates|makes its) std::string [^>]*}}-> Append the parts by += {{[^[]*(also: [^[]*)?\[(short_lived|made_per_call)\]}}
// CHECK-DAG: Likely: split (short-texts.cpp:[[#]]) {{(allocates|makes its) std::string [^>]*}}-> Keep a std::string_view of each part, which copies nothing, if the text is there for longer; or assign to texts that are kept. split(
// REPAIRED: no findings
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#ifdef REPAIRED
using Part = std::string_view;
#else
using Part = std::string;
#endif

__attribute__((noinline)) static void split(const Part &line,
                                            std::vector<Part> &parts) {
  for (size_t at = 0;;) {
    const size_t end = line.find(',', at);
    parts.push_back(line.substr(at, end - at));
    if (end == line.npos)
      return;
    at = end + 1;
  }
}

int main() {
  size_t sum = 0;
  std::string line;
  line.reserve(200);
  std::vector<Part> parts;
  parts.reserve(8);
  for (int i = 0; i < 3000; i++) {
#ifdef REPAIRED
    char digits[16];
    std::snprintf(digits, sizeof digits, "%d", i);
    line.clear();
    line += "the first field is long enough ";
    line += digits;
    line += ",two,so long is the third of the fields,and four";
#else
    line = "the first field is long enough " + std::to_string(i) +
           ",two,so long is the third of the fields,and four";
#endif
    parts.clear();
    split(line, parts);
    for (const Part &part : parts)
      sum += static_cast<size_t>(part.front());
  }
  std::printf("%zu\n", sum);
}
