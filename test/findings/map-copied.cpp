// map-copied.cpp - a map is copied by auto to be read, as many nodes as it has; its twin takes a reference. Both C++ libraries.
// Buckets, nodes and keys that nobody reads are one copy, told once: no pool, no variable on the stack. With KEPT some copies stay, with CHANGED they are needed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the plain compiler links none with libc++, that is left out.
// RUN: for library in libstdc++ libc++; do for map in map unordered_map; do \
// RUN:   set -- -stdlib=$library -O2 -g -DMAP=std::$map %s && \
// RUN:   if [ $library = libc++ ] && ! %clangxx "$@" -o %t.plain; then continue; fi && \
// RUN:   %clangxx_heapprof "$@" -o %t && %run %t && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck -DMAP=$map %s && \
// RUN:   %clangxx_heapprof "$@" -DREPAIRED -o %t.repaired && %run %t.repaired && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s || exit 1; \
// RUN:   if [ $library = libc++ ]; then continue; fi; \
// RUN:   %clangxx_heapprof "$@" -DKEPT -o %t.kept && %run %t.kept && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=NONE %s && \
// RUN:   %clangxx_heapprof "$@" -DCHANGED -o %t.changed && %run %t.changed && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=NONE %s || exit 1; done; done
// CHECK: 1. Likely: highest (map-copied.cpp:[[#]]) copies its std::[[MAP]]<std::string, long> again and again, {{.*}}, it seems only to read it:
// CHECK-SAME: -> Read the original through a const reference
// CHECK-SAME: [copied_to_read]
// CHECK-NOT: {{\[(short_lived|stack_instead|write_only|copied_to_read)\]}}
// REPAIRED-NOT: highest (
// NONE: points
// NONE-NOT: [copied_to_read]
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

using Positions = MAP<std::string, long>;

static Positions kept[50];

__attribute__((noinline)) static long highest(const Positions &all, int turn) {
#ifdef REPAIRED
  const auto &positions = all;
#else
  auto positions = all;
#endif
  long high = 0;
#ifdef CHANGED
  for (int again = 0; again < 8; again++)
    for (auto &position : positions)
      high += position.second += high + again;
#else
  for (const auto &position : positions)
    high = position.second > high ? position.second : high;
#endif
#ifdef KEPT
  if (turn % 20 == 0)
    kept[turn / 20 % 50] = std::move(positions);
#endif
  return high + turn;
}

int main() {
  Positions all;
  long sum = 0;
  for (int i = 0; i < 40; i++)
    all["customer-number-" + std::to_string(i * 7919 % 41)] = i;
  for (int i = 0; i < 1000; i++)
    sum += highest(all, i);
  return sum == 1;
}
