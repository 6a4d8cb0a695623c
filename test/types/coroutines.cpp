// The frame of a coroutine is named by its function, whoever allocates it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: for level in -O0 -O1 -O2 -Os; do \
// RUN:   %clangxx_heapprof -std=c++20 $level %s -o %t && %run %t && \
// RUN:   %heapprof_score --csv --limit 0 %dump > %t.csv && FileCheck %s < %t.csv || { echo "at $level"; exit 1; }; done
#include <coroutine>
#include <cstdlib>
#include <new>

void *volatile Sink;
template <class T> struct Task {
  struct promise_type {
    T Value;
    Task get_return_object() {
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_value(T V) { Value = V; }
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> Handle;
};
// Takes frames from a function of its own.
struct Own {
  struct promise_type {
    Own get_return_object() {
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
    static void *operator new(size_t N) { return ::operator new(N); }
    static void operator delete(void *P) { ::operator delete(P); }
  };
  std::coroutine_handle<promise_type> Handle;
};
// Must not throw where there is no memory.
struct Careful : Own {
  struct promise_type : Own::promise_type {
    Careful get_return_object() { return {}; }
    static Careful get_return_object_on_allocation_failure() { return {}; }
    static void *operator new(size_t N, const std::nothrow_t &) noexcept {
      return ::operator new(N, std::nothrow);
    }
    static void operator delete(void *P) { ::operator delete(P); }
  };
};

// CHECK-DAG: ,coroutine frame of count(int),argument,
Task<int> count(int N) {
  char Buffer[300];
  Sink = Buffer;
  co_await std::suspend_always{};
  co_return N + Buffer[0];
}
// CHECK-DAG: ,coroutine frame of Task<long> instance<long>(long),argument,
template <class T> Task<T> instance(T N) {
  co_await std::suspend_always{};
  co_return N;
}
namespace ns {
struct Server {
  // CHECK-DAG: ,"coroutine frame of ns::Server::serve(int, char)",argument,
  Task<int> serve(int N, char) {
    co_await std::suspend_always{};
    co_return N;
  }
};
} // namespace ns
// CHECK-DAG: ,coroutine frame of own(int),{{argument|wrapper}},
Own own(int) { co_await std::suspend_always{}; }
// CHECK-DAG: ,coroutine frame of careful(int),{{argument|wrapper}},
Careful careful(int) { co_await std::suspend_always{}; }

template <class T> void *of(T &&Made) { return Made.Handle.address(); }

int main(int Count, char **) {
  Sink = of(count(Count));
  Sink = of(instance<long>(Count));
  ns::Server Server;
  Sink = of(Server.serve(Count, 'x'));
  Sink = of(own(Count));
  careful(Count);
  auto Lambda = [](int N) -> Task<int> {
    co_await std::suspend_always{};
    co_return N;
  };
  // CHECK-DAG: ,coroutine frame of main::{{.*}}::operator()(int) const,argument,
  Sink = of(Lambda(Count));
  return 0;
}
