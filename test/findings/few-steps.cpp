// few-steps.cpp - many containers that hold few elements and grow by two or three steps, which is no chain: told as growing, by what they left, unless all of it is made anew in each call.
// Its twin reserves. Both C++ libraries.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the plain compiler links none with libc++, that is left out.
// RUN: for library in libstdc++ libc++; do \
// RUN:   set -- -stdlib=$library -O1 -g %s && \
// RUN:   if [ $library = libc++ ] && ! %clangxx "$@" -o %t.plain; then continue; fi && \
// RUN:   %clangxx_heapprof "$@" -o %t && %run %t && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s && \
// RUN:   %run %t reserved && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s || exit 1; done
// CHECK-DAG: Likely: fill (few-steps.cpp:[[#]]) lets its std::vector<int> grow by few steps, and copies it at each: 1250 allocations ({{[0-9]+}} % of all){{.*}} -> Call reserve before it is filled: up to 24 B take no more memory than one byte does.
// CHECK-DAG: Likely: three (few-steps.cpp:[[#]]) makes its std::vector<long> anew each time, for {{[^;]*}} on average; freed by three ({{[^:]*:[^:]*}}: 6000 allocations
// CHECK-NOT: three (few-steps.cpp:[[#]]) lets
// REPAIRED-NOT: by few steps
#include <vector>

static bool reserved; /* the twin */
static long sum;

struct Item {
  std::vector<int> few;
};

__attribute__((noinline)) static void fill(std::vector<Item> &items) {
  int number = 0;
  for (Item &item : items) {
    const int count = 1 + ++number % 4;
    if (reserved)
      item.few.reserve(4);
    for (int k = 0; k < count; k++)
      item.few.push_back(k);
  }
}

__attribute__((noinline)) static void three(long n) {
  std::vector<long> v;
  if (reserved)
    v.reserve(3);
  for (int i = 0; i < 3; i++)
    v.push_back(i * n);
  sum += v[2];
}

int main(int count, char **) {
  reserved = count > 1;
  std::vector<Item> items(1000);
  fill(items);
  /* So many that the pauses between calls are short beside the run. */
  for (int i = 0; i < 2000; i++)
    three(i);
  for (const Item &item : items)
    sum += item.few.back();
  return sum == 7;
}
