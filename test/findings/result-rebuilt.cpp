// result-rebuilt.cpp - a set is made by its constructor and returned, for each line; its twin returns a reference to one that stays.
// Its nodes are no variable on the stack, and no pool's: what drops it is who called the function, inlined or not. Both C++ libraries.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the plain compiler links none with libc++, that is left out.
// RUN: for library in libstdc++ libc++; do for way in NOINLINE INLINE; do \
// RUN:   set -- -stdlib=$library -O2 -g -D$way %s && \
// RUN:   if [ $library = libc++ ] && ! %clangxx "$@" -o %t.plain; then continue; fi && \
// RUN:   %clangxx_heapprof "$@" -o %t && %run %t && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s && \
// RUN:   %clangxx_heapprof "$@" -DREPAIRED -o %t.repaired && %run %t.repaired && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s || exit 1; done; done
// CHECK: Likely: stop_words (result-rebuilt.cpp:[[#]]) makes its std::set<int> anew each time, for {{.*}} on average; freed by count (result-rebuilt.cpp:{{[^:]*}}: 9000 allocations
// CHECK-SAME: -> Build it once if it holds the same each time, and return a const reference to it;
// CHECK-SAME: [made_per_call]
// CHECK-NOT: {{\[(stack_instead|short_lived|generation)\]}}
// REPAIRED-NOT: stop_words (
#include <set>

#ifdef NOINLINE
__attribute__((noinline))
#endif
#ifdef REPAIRED
static const std::set<int> &stop_words() {
  static const std::set<int> words = {7, 1, 8, 2, 9, 3, 4, 6, 5};
#else
static std::set<int> stop_words() {
  std::set<int> words = {7, 1, 8, 2, 9, 3, 4, 6, 5};
#endif
  return words;
}

__attribute__((noinline)) static int count(int word) {
  const auto &stops = stop_words();
  return stops.count(word) ? 0 : 1;
}

int main() {
  int sum = 0;
  for (int i = 0; i < 1000; i++)
    sum += count(i % 20);
  return sum == 1;
}
