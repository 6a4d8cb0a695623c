// false-sharing-vectors.cpp - elements of vectors, one of each thread, from 4 to 56 bytes: those that lie in one line are told, in runs that count members; a twin has a line for each.
// A run that does not count members says what it cannot tell. In turns by a barrier.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: %clangxx_heapprof -std=c++20 -fsanitize-heapprof-members -O2 -g %s -o %t -pthread && env HEAPPROF_OPTIONS=members=1 %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' > %t.out && FileCheck %s < %t.out && FileCheck --check-prefix=NONE %s < %t.out
// NONE-NOT: not counted
// RUN: %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=PLAIN %s
// RUN: %clangxx_heapprof -std=c++20 -fsanitize-heapprof-members -O2 -g -DAPART=64 %s -o %t.repaired -pthread && env HEAPPROF_OPTIONS=members=1 %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=REPAIRED %s
// CHECK-DAG: [0] (thread {{[0-9]+}}, 1500 writes), [1] (thread {{[0-9]+}}, 1500 writes) and [2] (thread {{[0-9]+}}, 1500 writes) of std::vector<std::atomic<int>> lie in one cache line, at offset 0,
// CHECK-DAG: [0].of.count (thread {{[0-9]+}}, 1500 writes) and [1].of.count (thread {{[0-9]+}}, 1500 writes) of std::vector<Padded<Large<24>>> (false-sharing-vectors.cpp:[[#]]) lie in one cache line, at offset 0,
// CHECK-DAG: [0].of.count (thread {{[0-9]+}}, 1500 writes) and [1].of.count (thread {{[0-9]+}}, 1500 writes) of std::vector<Padded<Large<48>>> (false-sharing-vectors.cpp:[[#]]) lie in one cache line, at offset 0,
// PLAIN: not counted: other threads access what main (false-sharing-vectors.cpp:[[#]]) allocates, and 2 points more: whether they write to one cache line, and which members of Order ({{[0-9]+}} % of the peak) are used, a run with members=1 says, of a program that was compiled with -fsanitize-heapprof-members
// REPAIRED-NOT: {{\[false_sharing\]|not counted}}
#include <atomic>
#include <barrier>
#include <thread>
#include <vector>

#ifndef APART
#define APART 1
#endif

template <int SIZE> struct Large {
  volatile long count;
  char other[SIZE];
};
template <class T>
struct alignas(APART > alignof(T) ? APART : alignof(T)) Padded {
  T of;
};

struct Order {
  long number, price;
  char text[48];
};

static std::barrier<> barrier(3);

template <class Add> static void work(int self, Add add) {
  for (int turn = 0; turn < 450; turn++) {
    if (turn % 3 == self)
      for (int i = 0; i < 10; i++)
        add(self);
    barrier.arrive_and_wait();
  }
}

template <class Add> static void run(Add add) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; i++)
    threads.emplace_back(work<Add>, i, add);
  for (std::thread &thread : threads)
    thread.join();
}

int main() {
  std::vector<Order> orders(20000);
  std::vector<std::atomic<int>> numbers(APART == 64 ? 48 : 3);
  std::vector<Padded<Large<24>>> small(3);
  std::vector<Padded<Large<48>>> large(3);
  run([&](int self) { numbers[self * (APART == 64 ? 16 : 1)]++; });
  run([&](int self) { small[self].of.count = small[self].of.count + 1; });
  run([&](int self) { large[self].of.count = large[self].of.count + 1; });
  return numbers[0] + small[1].of.count + large[2].of.count + orders[9].price !=
         4500;
}
