// map-rebuilt.cpp - a map is made and filled in each call, by several lines or in a loop; its twin has one that stays. Both C++ libraries.
// Nodes, keys and buckets are one container: no variable on the stack, no pool. One that is kept and cleared is not made anew.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the plain compiler links none with libc++, that is left out.
// RUN: for library in libstdc++ libc++; do for way in LINES LOOP; do \
// RUN:   set -- -stdlib=$library -O2 -g -D$way %s && \
// RUN:   if [ $library = libc++ ] && ! %clangxx "$@" -o %t.plain; then continue; fi && \
// RUN:   %clangxx_heapprof "$@" -o %t && %run %t && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --allow-unused-prefixes --check-prefixes=CHECK,$way %s && \
// RUN:   %clangxx_heapprof "$@" -DREPAIRED -o %t.repaired && %run %t.repaired && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s || exit 1; \
// RUN:   if [ $library = libc++ ]; then continue; fi; \
// RUN:   %clangxx_heapprof "$@" -DCLEARED -o %t.cleared && %run %t.cleared && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=CLEARED %s || exit 1; done; done
// CHECK: Likely: column_of (map-rebuilt.cpp:[[#]]) makes its std::map<std::string, int> anew each time,
// LINES-SAME: and so at 3 other lines of it
// CHECK-SAME: -> Build it once if it holds the same each time;
// CHECK-SAME: [made_per_call]
// CHECK-NOT: {{\[(stack_instead|short_lived|generation)\]}}
// REPAIRED-NOT: column_of (
// CLEARED: column_of (
// CLEARED-NOT: makes its std::map
#include <map>
#include <string>

using Columns = std::map<std::string, int>;

__attribute__((noinline)) static int column_of(const std::string &name) {
#ifdef REPAIRED
  static Columns columns;
  if (columns.empty()) {
#elif defined(CLEARED)
  static Columns columns;
  columns.clear();
  {
#else
  Columns columns;
  {
#endif
#ifdef LOOP
    for (int i = 0; i < 8; i++)
      columns["the-name-of-a-long-column-" + std::string(1, 'a' + i)] = i;
#else
    columns["the-key-of-a-long-record"] = 1;
    columns["the-type-of-a-long-record"] = 2;
    columns["the-count-of-a-long-record"] = 3;
    columns["the-text-of-a-long-record"] = 4;
#endif
  }
  const auto found = columns.find(name);
  return found == columns.end() ? 0 : found->second;
}

int main() {
  const std::string name = "the-type-of-a-long-record";
  int sum = 0;
  for (int i = 0; i < 1000; i++)
    sum += column_of(name);
  return sum == 1;
}
