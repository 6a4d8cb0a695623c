// flat-map.cpp - a std::flat_map that is filled in each call lets two vectors grow, and has no reserve: it wants vectors that have.
// The twin gives it such.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the plain compiler has none, or links none with libc++, that is left out.
// RUN: set -- -stdlib=libc++ -std=c++23 -O1 -g %s; if %clangxx "$@" -o %t.plain; then \
// RUN:   %clangxx_heapprof "$@" -o %t && %run %t && \
// RUN:   %heapprof_score --findings --limit=0 %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s && \
// RUN:   %clangxx_heapprof "$@" -DREPAIRED -o %t.repaired && %run %t.repaired && \
// RUN:   %heapprof_score --findings --limit=0 %dump/heapprof.* | FileCheck --check-prefix=REPAIRED %s || exit 1; fi
// CHECK: 80 std::vector<int> of a std::flat_map in squares (flat-map.cpp:[[#]]) grow 6 times each, from 4 B to 256 B, {{[^>]*}}-> Keep it from call to call and clear it, so that it grows once. Or give it vectors that were reserved, by std::move: a std::flat_map has no reserve of its own; the last size was 256 B. {{[^[]*}}[growing]
// REPAIRED-NOT: [growing]
#include <cstdio>
#include <flat_map>
#include <utility>
#include <vector>

static const int limit = 40;

__attribute__((noinline)) static int squares(int turn) {
  std::flat_map<int, int> of;
#ifdef REPAIRED
  std::vector<int> keys, values;
  keys.reserve(limit);
  values.reserve(limit);
  of.replace(std::move(keys), std::move(values));
#endif
  for (int i = 0; i < limit; i++)
    of.insert({i * 7 % 41, i * turn});
  int sum = 0;
  for (const auto &[key, value] : of)
    sum += key * value;
  return sum;
}

int main() {
  int sum = 0;
  for (int i = 0; i < 40; i++)
    sum += squares(i);
  std::printf("%d\n", sum);
}
