// text-of-view.cpp - a line is split into texts that emplace_back makes of views: each part wants to stay a view.
// The twin keeps views.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -std=c++17 -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings --limit=0 %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -std=c++17 -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings --limit=0 %dump/heapprof.* | FileCheck --check-prefix=REPAIRED %s
// RUN: set -- -stdlib=libc++ -std=c++17 -O2 -g %s; if %clangxx "$@" -o %t.plain; then \
// RUN:   %clangxx_heapprof "$@" -o %t && %run %t && \
// RUN:   %heapprof_score --findings --limit=0 %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s || exit 1; fi
// CHECK: Likely: split (text-of-view.cpp:[[#]]) {{allocates|fills}} std::string {{[^>]*}}-> Keep a std::string_view of each part, which copies nothing, if the text is there for longer; or assign to texts that are kept. split(
// CHECK-NOT: string_view of each part
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

__attribute__((noinline)) static void split(std::string_view line,
                                            std::vector<Part> &parts) {
  for (size_t at = 0;;) {
    const size_t end = line.find(',', at);
    const std::string_view part = line.substr(at, end - at);
    parts.emplace_back(part);
    if (end == line.npos)
      return;
    at = end + 1;
  }
}

/* Of what is no view there is none to keep. */
__attribute__((noinline)) static size_t count(std::vector<std::string> &stars,
                                              size_t count) {
  stars.emplace_back(40 + count % 8, '*');
  stars.emplace_back(50 + count % 8, '*');
  return static_cast<size_t>(stars[0].back() + stars[1].back());
}

int main() {
  size_t sum = 0;
  std::vector<Part> parts;
  parts.reserve(8);
#ifndef REPAIRED
  std::vector<std::string> stars;
  stars.reserve(8);
#endif
  for (size_t i = 0; i < 3000; i++) {
    parts.clear();
    split("the first field is long enough,two,so long is the third of the "
          "fields,and four",
          parts);
    for (const Part &part : parts)
      sum += static_cast<size_t>(part.front());
#ifndef REPAIRED
    stars.clear();
    sum += count(stars, i);
#endif
  }
  std::printf("%zu\n", sum);
}
