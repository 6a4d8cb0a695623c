// text-viewed.cpp - names are taken out of a text as views, and returned as texts; the twin returns the views.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: for library in libstdc++ libc++; do \
// RUN:   set -- -stdlib=$library -std=c++17 -O2 -g %s && \
// RUN:   if [ $library = libc++ ] && ! %clangxx "$@" -o %t.plain; then continue; fi && \
// RUN:   %clangxx_heapprof "$@" -o %t && %run %t && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s && \
// RUN:   %clangxx_heapprof "$@" -DREPAIRED -o %t.repaired && %run %t.repaired && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=REPAIRED %s || exit 1; done
// CHECK: Likely: name (text-viewed.cpp:[[#]]) makes its std::string anew each time, {{[^>]*}}-> Keep a std::string_view of each part, which copies nothing, if the text is there for longer; or assign to texts that are kept.
// REPAIRED: no findings
#include <string>
#include <string_view>

#ifdef REPAIRED
using Name = std::string_view;
#else
using Name = std::string;
#endif

__attribute__((noinline)) static Name name(std::string_view source, size_t at) {
  return Name(source.substr(at, source.find(';', at) - at));
}

int main() {
  const std::string_view source =
      "a name that is long enough;another name that is long enough;";
  int found = 0;
  for (int i = 0; i < 2000; i++)
    found += name(source, i % 2 ? 0 : 27)[5];
  return found == 7;
}
