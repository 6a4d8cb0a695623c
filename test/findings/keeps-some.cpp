// keeps-some.cpp - a function makes a vector in each call; the caller keeps one in twenty of them and drops the others.
// To keep one from call to call would not do: no made_per_call, and no copy that is only read. The twin drops all.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: for way in MADE COPIED; do \
// RUN:   %clangxx_heapprof -O2 -g -D$way %s -o %t && %run %t && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s && \
// RUN:   %clangxx_heapprof -O2 -g -D$way -DDROPS_ALL %s -o %t.all && %run %t.all && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=$way %s || exit 1; done
// CHECK: points
// CHECK-NOT: {{\[made_per_call\]|\[copied_to_read\]}}
// CHECK: again and again
// CHECK-NOT: {{\[made_per_call\]|\[copied_to_read\]}}
// MADE: [made_per_call]
// COPIED: [copied_to_read]
#include <utility>
#include <vector>

using numbers = std::vector<long>;

__attribute__((noinline)) static numbers numbers_of(const numbers &all,
                                                    long first) {
#ifdef COPIED
  (void)first;
  return numbers(all);
#else
  return numbers(all.size(), first);
#endif
}

__attribute__((noinline)) static long sum_of(const numbers &some) {
  long sum = 0;
  for (long number : some)
    sum += number;
  return sum;
}

int main() {
  const numbers all(20, 1);
  std::vector<numbers> kept(50);
  long sum = 0;
  for (long i = 0; i < 20000; i++) {
    numbers some = numbers_of(all, i);
    sum += sum_of(some);
#ifndef DROPS_ALL
    if (i % 20 == 0)
      kept[static_cast<unsigned>(i / 20 % 50)] = std::move(some);
#endif
  }
  for (const numbers &some : kept)
    sum += sum_of(some);
  return sum == 1;
}
