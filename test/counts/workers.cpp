// std::thread, std::atomic and std::mutex: accesses of all threads add up.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clangxx_heapprof -g -O0 -pthread %s -o %t && %run %t && %check_counts
#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

namespace {

constexpr int Threads = 3, Rounds = 5000;

struct Shared {
  std::atomic<long> Sum{0};
  volatile long Guarded = 0;
};

void work(Shared &S, std::mutex &Lock) {
  for (int I = 0; I < Rounds; I++) {
    S.Sum.fetch_add(1);
    std::lock_guard<std::mutex> Guard(Lock);
    S.Guarded = S.Guarded + 1;
  }
}

} // namespace

int main() {
  std::mutex Lock;
  // Built: 2 writes; each round of each thread: an update and a read and a
  // write; then both are read.
  // POINT chunks=1 bytes=16 reads=3*5000*2+2 writes=2+3*5000*2 accessed=16
  //       multithread=1
  Shared *S = new Shared;
  std::thread Pool[Threads];
  for (std::thread &T : Pool)
    // A thread's state: pointer to virtual functions, function and both
    // arguments.  Built here: the first twice; each argument read once there.
    // POINT chunks=3 bytes=3*32 reads=3*3 writes=3*5 accessed=3*32
    //       multithread=3 elsewhere=3
    T = std::thread(work, std::ref(*S), std::ref(Lock));
  for (std::thread &T : Pool)
    T.join();
  bool Right =
      S->Sum.load() == Threads * Rounds && S->Guarded == Threads * Rounds;
  delete S;
  return Right ? 0 : 1;
}
