// false-sharing.cpp - counters of threads side by side in memory, and their twins a line apart.
// Chunks smaller than a cache line, allocated by one thread and written by others.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O2 -g %s -o %t -pthread && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -O2 -g -DREPAIRED %s -o %t.repaired -pthread && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK: Likely:
// CHECK-SAME: 4 chunks of 8 B (Counter) from make_counter (false-sharing.cpp:{{[0-9]+}}) share
// CHECK-SAME: -> Align each to 64 bytes
// CHECK-SAME: [false_sharing]
// REPAIRED: no findings
#include <cstdlib>
#include <thread>
#include <vector>

struct Counter {
  long value;
};

__attribute__((noinline)) Counter *make_counter() {
#ifdef REPAIRED
  void *room = aligned_alloc(64, 64);
#else
  void *room = malloc(sizeof(Counter));
#endif
  return new (room) Counter{0};
}

__attribute__((noinline)) void count(Counter *counter) {
  for (int i = 0; i < 20000; i++)
    __atomic_store_n(&counter->value, counter->value + 1, __ATOMIC_RELAXED);
}

int main() {
  Counter *counters[4];
  for (Counter *&counter : counters)
    counter = make_counter();
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (Counter *counter : counters)
    threads.emplace_back(count, counter);
  long sum = 0;
  for (int i = 0; i < 4; i++) {
    threads[i].join();
    sum += counters[i]->value;
    free(counters[i]);
  }
  return sum != 80000;
}
