// lto-thunk.cpp - two hooks of one object, the first of which knows no record: the second must not read one; optimised again at link time.
// A virtual thunk with the function inlined reads the table and a member of an object whose accesses another thread counts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O2 -g -flto %s -o %t -pthread && %run %t
// RUN: %heapprof_score --json --filter type=Both %dump/heapprof.* | FileCheck %s
// RUN: %clangxx_heapprof -O2 -g %s -o %t -pthread && %run %t
// RUN: %heapprof_score --json --filter type=Both %dump/heapprof.* | FileCheck %s
// CHECK: "chunks": 1
#include <pthread.h>

struct Base {
  virtual ~Base();
  int of_base;
  virtual int get() { return of_base; }
};
Base::~Base() {}
struct Left : virtual Base {
  int of_left;
  int get() override { return of_left; }
};
struct Both : Left {
  double value;
  int get() override { return (int)value; }
};

template <class T> __attribute__((noinline)) T *make() {
  T *made = new T;
  asm volatile("" : : "r"(made) : "memory");
  return made;
}

static Base *base;

static void *read_it(void *) {
  Base *object = base;
  asm volatile("" : "+r"(object));
  return object->get() == 4 ? object : nullptr;
}

int main() {
  Both *both = make<Both>();
  both->value = 4;
  base = both;
  void *own = read_it(nullptr), *other = nullptr;
  pthread_t thread;
  if (pthread_create(&thread, nullptr, read_it, nullptr) != 0)
    return 1;
  pthread_join(thread, &other);
  delete base;
  return !own || !other;
}
