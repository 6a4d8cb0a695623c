// sorter-buffer.cpp - few elements are sorted again and again by what takes a buffer for itself each time: no variable on the
// stack can take the place of that, nor any pool; and its twin, which sorts in place.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -std=c++17 -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -std=c++17 -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK-DAG: sorted (sorter-buffer.cpp:[[#]]) calls std::stable_sort, which takes a buffer of up to {{[0-9]+}} B each time, for {{[^>]*}}: 900 allocations ({{[^>]*}}-> Use std::sort, which takes none,
// CHECK-DAG: merged (sorter-buffer.cpp:[[#]]) calls std::inplace_merge, which takes a buffer of up to {{[^>]*}}: 900 allocations ({{[^>]*}}-> Merge by std::merge into a buffer that is kept
// CHECK-DAG: parted (sorter-buffer.cpp:[[#]]) calls std::stable_partition, which takes a buffer of up to {{[^>]*}}: 900 allocations ({{[^>]*}}-> Use std::partition, which takes none,
// REPAIRED: no findings
#include <algorithm>
#include <vector>

#define ALONE __attribute__((noinline)) static

#ifdef REPAIRED
#define SORT std::sort
#define PART std::partition
#else
#define SORT std::stable_sort
#define PART std::stable_partition
#endif

ALONE int sorted(std::vector<int> &numbers, int count) {
  SORT(numbers.begin(), numbers.begin() + count,
       [](int a, int b) { return a % 100 < b % 100; });
  return numbers.front();
}

ALONE int merged(std::vector<int> &numbers, int count) {
#ifdef REPAIRED
  static int kept[64];
  std::merge(numbers.begin(), numbers.begin() + count / 2,
             numbers.begin() + count / 2, numbers.begin() + count, kept);
  std::copy(kept, kept + count, numbers.begin());
#else
  std::inplace_merge(numbers.begin(), numbers.begin() + count / 2,
                     numbers.begin() + count);
#endif
  return numbers.front();
}

ALONE int parted(std::vector<int> &numbers, int count) {
  PART(numbers.begin(), numbers.begin() + count,
       [](int a) { return a % 3 == 0; });
  return numbers.front();
}

int main() {
  std::vector<int> numbers(64);
  int sum = 0;
  for (int turn = 0; turn < 900; turn++) {
    const int count = 8 + turn % 24;
    for (int i = 0; i < count; i++)
      numbers[i] = (turn * 31 + i * 17) % 1000;
    sum += sorted(numbers, count);
    std::sort(numbers.begin(), numbers.begin() + count / 2);
    std::sort(numbers.begin() + count / 2, numbers.begin() + count);
    sum += merged(numbers, count);
    sum += parted(numbers, count);
  }
  return sum == 1;
}
