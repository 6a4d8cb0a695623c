// cplusplus.cpp - exceptions, virtual calls, containers and coroutines at each level.
// The recorder sees the same accesses; nothing of the program's behaviour changes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -c %S/Inputs/hook-recorder.c -o %t.rec.o
// RUN: for o in -O0 -O1 -O2 -O3 -Os -O2\ -g -O2\ -fsanitize=undefined\ -fsanitize-trap=undefined -O2\ -fno-exceptions\ -DNO_EXCEPTIONS; do \
// RUN:   %clangxx -I%S/Inputs -std=c++20 $o -fpass-plugin=%pass -Xclang -load -Xclang %pass -mllvm -heapprof-optimise=0 %s %t.rec.o -o %t || exit 1; \
// RUN:   %t > %t.out || exit 1; \
// RUN:   FileCheck %s < %t.out || exit 1; \
// RUN: done
#include "hook-recorder.h"
#include <coroutine>
#include <cstdio>
#include <string>
#include <vector>

struct Base {
  volatile int value = 0;
  virtual ~Base() {}
  virtual void bump() = 0;
};
struct Derived : Base {
  void bump() override { value = value + 1; }
};
Base *volatile object;

struct Task {
  struct promise_type {
    Task get_return_object() {
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> handle;
};

// The local lives in the coroutine's frame, on the heap: its accesses count.
Task count_in_frame() {
  volatile int local = 0;
  co_await std::suspend_always();
  local = local + 1;
  co_await std::suspend_always();
}
Task (*volatile start)() = count_in_frame; // or the frame may be on the stack

static void fail(std::vector<int> &v) {
#ifdef NO_EXCEPTIONS
  v.push_back(1);
#else
  std::string text("long enough to be on the heap, whatever the library");
  v.push_back(1);
  throw v.size();
#endif
}

int main() {
  object = new Derived;
  Base *o = object;
  recorder_watch((const void *)&o->value, sizeof o->value);
  object->bump();
  // CHECK: virtual: 1 reads 4 bytes, 1 writes 4 bytes
  recorder_print("virtual");
  delete object;

  std::vector<int> v;
  v.reserve(1000);
  recorder_watch(v.data(), 4000);
#ifdef NO_EXCEPTIONS
  fail(v);
#else
  try {
    fail(v);
  } catch (std::size_t) {
  }
#endif
  // CHECK: thrown: 0 reads 0 bytes, 1 writes 4 bytes
  recorder_print("thrown");

  Task task = start();
  task.handle.resume();
  recorder_watch(task.handle.address(), 64);
  task.handle.resume();
  // The frame's state is read and written as well.
  // CHECK: coroutine: {{[1-9][0-9]*}} reads {{[0-9]+}} bytes, {{[1-9][0-9]*}} writes
  recorder_print("coroutine");
  task.handle.destroy();
  return v.size() == 1 ? 0 : 1;
}
