// coroutines.cpp - a coroutine that one thread suspends and another resumes: counted as by one hook for each access, and
// its frame is as large as without. ThinLTO leaves coroutines whole, so that its locals would be on the stack for the pass, which are in the frame.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22, lld
// RUN: %forms %t -O2 -std=c++20 -pthread %s && %compare %t | FileCheck %s
// RUN: %forms %t -O2 -std=c++20 -pthread -flto=thin -fuse-ld=lld %s && %compare %t | FileCheck %s
// RUN: %heapprof_score --csv --limit 0 %t/profiled.dump/heapprof.* | FileCheck --check-prefix=FRAME %s
// CHECK: 67 chunks, {{[0-9]+}} reads, {{[0-9]+}} writes, 0 differ
// FRAME: coroutine frame of{{.*}},64,64.000,64,{{[0-9.]+,[0-9.]+,[0-9.]+}},{{[1-9][0-9]+}},{{[1-9][0-9]+}},
#include <coroutine>
#include <cstdlib>
#include <exception>
#include <pthread.h>

struct Sums {
  struct promise_type {
    long Value;
    Sums get_return_object() {
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(long V) {
      Value = V;
      return {};
    }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
  std::coroutine_handle<promise_type> Handle;
};

__attribute__((noinline)) static Sums add(long *Of, int Count) {
  long Sum = 0;
  for (int I = 0; I < Count; I++) {
    Sum += Of[I % 4]++;
    co_yield Sum;
  }
}

static void *resume(void *Frame) {
  std::coroutine_handle<>::from_address(Frame).resume();
  return nullptr;
}

int main() {
  // More than are exact.
  for (int I = 0; I < 64; I++) {
    long *Numbers = static_cast<long *>(calloc(4, sizeof(long)));
    if (I < 63) {
      for (int J = 0; J < 4; J++)
        Numbers[J] = I;
      continue; // stays
    }
    Sums All = add(Numbers, 40);
    for (int J = 0; J < 20; J++) {
      pthread_t Other;
      All.Handle.resume();
      if (pthread_create(&Other, nullptr, resume, All.Handle.address()))
        return 1;
      pthread_join(Other, nullptr);
    }
    All.Handle.destroy();
  }
  return 0;
}
