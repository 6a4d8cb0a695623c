// coroutine-frames.cpp - a coroutine that is begun and ended for each of many numbers: its frame is no variable that could be on the stack, and
// who destroys it frees it, also by an operator delete of its promise. One that goes on with the next number has no finding.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: for flags in "-O0" "-O2"; do for begin in OWN GLOBAL; do \
// RUN:   %clangxx_heapprof -std=c++20 -g $flags -D$begin %s -o %t && %run %t && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' > %t.text && FileCheck %s < %t.text || exit 1; done; done
// RUN: %clangxx_heapprof -std=c++20 -g -O2 -DGOES_ON %s -o %t && %run %t && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=GOES_ON %s
// CHECK: Likely: square (coroutine-frames.cpp:[[#@LINE+36]]) allocates coroutine frame of square(int) of
// CHECK-SAME: freed by square (coroutine-frames.cpp:[[#@LINE+35]]){{( and perhaps others)?}}: 3000 allocations
// CHECK-SAME: -> Give the promise of the coroutine an operator new that keeps freed frames in a free list, or let one coroutine go on where many are begun. square(int)
// CHECK-NOT: on the stack
// GOES_ON-NOT: coroutine frame
#include <coroutine>
#include <cstdlib>
#include <exception>

struct Task {
  struct promise_type {
#ifdef OWN
    static void *operator new(size_t size) { return std::malloc(size); }
    static void operator delete(void *frame) { std::free(frame); }
#endif
    long value = 0;
    Task get_return_object() {
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(long next) {
      value = next;
      return {};
    }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
  std::coroutine_handle<promise_type> handle;
};

__attribute__((noinline)) Task squares(long to) {
  for (long i = 0; i < to; i++)
    co_yield i *i;
}

__attribute__((noinline)) Task square(int number) {
  co_yield (long) number *number;
}

int main() {
  long sum = 0;
#ifdef GOES_ON
  Task task = squares(3000);
  for (int i = 0; i < 3000; i++) {
    task.handle.resume();
    sum += task.handle.promise().value;
  }
  task.handle.destroy();
#else
  for (int i = 0; i < 3000; i++) {
    Task task = square(i);
    task.handle.resume();
    sum += task.handle.promise().value;
    task.handle.destroy();
  }
#endif
  return sum != 8995500500;
}
