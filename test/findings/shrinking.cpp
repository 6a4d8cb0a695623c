// shrinking.cpp - shrink_to_fit in a loop, and reserve for one element more: each takes the room that the next element needs.
// Its twin does so once. Told by names, so with both C++ libraries; of what is shrunk once, and kept, nothing is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the plain compiler links none with libc++, that is left out.
// RUN: for library in libstdc++ libc++; do \
// RUN:   set -- -stdlib=$library -O1 -g %s && \
// RUN:   if [ $library = libc++ ] && ! %clangxx "$@" -o %t.plain; then continue; fi && \
// RUN:   %clangxx_heapprof "$@" -o %t && %run %t && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s && \
// RUN:   %run %t repaired && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s || exit 1; done
// CHECK-DAG: Likely: shrinks (shrinking.cpp:[[#]]) calls shrink_to_fit of std::vector<int> that is soon filled again, and is copied then and at each such call: 1998 allocations ({{[0-9]+}} % of all){{.*}} -> Call it once, when all is in the container, or not at all.{{.*}}called by main ({{[^)]*}}) [shrinking] points
// CHECK-DAG: Fact: std::vector<short> in reserves (shrinking.cpp:[[#]]) grows 999 times, from 2 B to 1.95 KiB, and is copied each time: {{.*}} -> Reserve the final size once, here 1.95 KiB, or not at all: push_back alone doubles it, and reserve for a little more copies all of it.
// CHECK-NOT: shrinks (shrinking.cpp:[[#]]) makes
// CHECK-NOT: [shrinking]
// REPAIRED-NOT: [shrinking]
// REPAIRED-NOT: Reserve the final size once
#include <utility>
#include <vector>

static bool repaired; /* the twin */

__attribute__((noinline)) static int shrinks(int n) {
  std::vector<int> v;
  for (int i = 0; i < n; i++) {
    v.push_back(i);
    if (!repaired || i + 1 == n)
      v.shrink_to_fit();
  }
  return v[n / 2];
}

__attribute__((noinline)) static int reserves(int n) {
  std::vector<short> v;
  if (repaired)
    v.reserve(n);
  for (int i = 0; i < n; i++) {
    if (!repaired)
      v.reserve(v.size() + 1);
    v.push_back(short(i));
  }
  return v[n / 2];
}

__attribute__((noinline)) static void keep(std::vector<std::vector<long>> &all,
                                           int n) {
  std::vector<long> v;
  v.reserve(32);
  for (int i = 0; i < 8 + n % 16; i++)
    v.push_back(i);
  v.shrink_to_fit();
  all.push_back(std::move(v));
}

int main(int count, char **) {
  repaired = count > 1;
  std::vector<std::vector<long>> all;
  for (int i = 0; i < 300; i++)
    keep(all, i);
  long sum = shrinks(1000) + reserves(1000);
  for (const std::vector<long> &one : all)
    sum += one.back();
  return sum == 7;
}
