// false-sharing-elements.cpp - counts of three threads side by side in an array, and of two in an array inside a record; twins of a line each.
// In turns by a barrier; seen in runs that count members.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: %clangxx_heapprof -std=c++20 -fsanitize-heapprof-members -O2 -g %s -o %t -pthread && env HEAPPROF_OPTIONS=members=1 %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -std=c++20 -fsanitize-heapprof-members -O2 -g -DREPAIRED %s -o %t.repaired -pthread && env HEAPPROF_OPTIONS=members=1 %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=REPAIRED %s
// CHECK-DAG: [0].value (thread {{[0-9]+}}, 2000 writes), [1].value (thread {{[0-9]+}}, 2000 writes) and [2].value (thread {{[0-9]+}}, 2000 writes) of Count (false-sharing-elements.cpp:{{[0-9]+}}) lie in one cache line, at offset 0, {{.*}} -> Align each element to 64 bytes, or let each thread have a variable of its own until it is done.
// CHECK-DAG: done[0] (thread {{[0-9]+}}, 2000 writes) and done[2] (thread {{[0-9]+}}, 2000 writes) of Job (false-sharing-elements.cpp:{{[0-9]+}}) lie in one cache line, at offset 64,
// REPAIRED-NOT: [false_sharing]
#include <barrier>
#include <thread>
#include <vector>

#ifdef REPAIRED
#define APART alignas(64)
#else
#define APART
#endif

struct Count {
  APART volatile long value;
};

struct Done {
  APART volatile int value;
};

struct Job {
  char text[64];
#ifdef REPAIRED
  Done done[3];
  volatile int &of(int i) { return done[i].value; }
#else
  volatile int done[3];
  volatile int &of(int i) { return done[i]; }
#endif
};

static std::barrier<> barrier(3);

static void work(int self, Count *counts, Job *job) {
  for (int turn = 0; turn < 600; turn++) {
    if (turn % 3 == self)
      for (int i = 0; i < 10; i++) {
        counts[self].value = counts[self].value + 1;
        if (self != 1)
          job->of(self) = i;
      }
    barrier.arrive_and_wait();
  }
}

int main() {
  Count *counts = new Count[3]();
  Job *job = new Job();
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; i++)
    threads.emplace_back(work, i, counts, job);
  for (std::thread &thread : threads)
    thread.join();
  const bool bad = counts[0].value + counts[1].value + counts[2].value != 6000;
  delete[] counts;
  delete job;
  return bad;
}
