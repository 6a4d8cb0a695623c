// places-declared.cpp - a class template makes room by a template that is there for some types only, as HarfBuzz's vector does: clang
// writes what such a parameter is declared as into the name, and libiberty cannot read that. Who calls the class is the place all the same.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O2 -g -fno-exceptions -fno-rtti %s -o %t && %run %t
// RUN: %heapprof_score --no-cache --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// CHECK: points
// CHECK-NOT: {{_ZN|from vec}}
// CHECK-DAG: from letters (places-declared.cpp:[[#]]) are too large
// CHECK-DAG: from numbers (places-declared.cpp:[[#]]) are too large
// CHECK-NOT: {{_ZN|from vec}}
#include <cstdlib>
#include <type_traits>

template <typename T> struct vec {
  T *items = nullptr;
  unsigned count = 0, room = 0;
  ~vec() { free(items); }
  template <typename U = T,
            typename std::enable_if<std::is_trivially_copyable<U>::value>::type
                * = nullptr>
  __attribute__((noinline)) U *realloc_vector(unsigned more) {
    return static_cast<U *>(realloc(items, more * sizeof(U)));
  }
  __attribute__((noinline)) void grow(unsigned size) {
    if (size <= room)
      return;
    items = realloc_vector(room = size * 200);
  }
  void push(T item) {
    grow(count + 1);
    items[count++] = item;
  }
};

__attribute__((noinline)) static vec<int> *numbers(int i) {
  vec<int> *made = new vec<int>;
  made->push(i);
  return made;
}

__attribute__((noinline)) static vec<char> *letters(int i) {
  vec<char> *made = new vec<char>;
  made->push(static_cast<char>(i));
  return made;
}

static vec<int> *all_numbers[500];
static vec<char> *all_letters[500];

int main() {
  int sum = 0;
  for (int i = 0; i < 500; i++) {
    all_numbers[i] = numbers(i);
    all_letters[i] = letters(i);
  }
  for (int i = 0; i < 500; i++) {
    sum += all_numbers[i]->items[0] + all_letters[i]->items[0];
    delete all_numbers[i];
    delete all_letters[i];
  }
  return sum == 1;
}
