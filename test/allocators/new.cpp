// new.cpp - operators new and delete are counted as such, whoever defines them: their malloc within is not counted again.
// An exception passes through, and what comes after it is counted as before.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: jemalloc
// RUN: %clangxx -O1 -fno-builtin -std=c++17 %s -o %t
// RUN: %heapprof_allocators --repeat 1 --with glibc,jemalloc --json -o %t.json %t
// RUN: %python %S/Inputs/new.py %t.json | FileCheck --match-full-lines %s
#include <cstdlib>
#include <new>
#include <stdexcept>

struct alignas(128) wide {
  char bytes[128];
};

static void *volatile kept;

template <class T> static void make_and_end(T *made) {
  kept = made;
  delete made;
}

int main() {
  volatile std::size_t most = SIZE_MAX / 4;
  for (int i = 0; i < 10; i++) {
    try {
      kept = ::operator new(most);
    } catch (const std::bad_alloc &) {
    }
  }
  for (int i = 0; i < 20; i++) {
    make_and_end(new long);
    make_and_end(new wide);
    make_and_end(new (std::nothrow) long);
    char *many = new char[100];
    kept = many;
    delete[] many;
  }
  kept = new (std::nothrow) char[most];
  std::free(std::malloc(1));
  return kept != nullptr;
}

// A call that an exception ended is none; one that returned a null pointer is one.
// What holds it is made within that call, so that its free is of a chunk that is not known.
// CHECK: glibc new 81 delete 80 malloc 1 free 1 unknown 10
// CHECK: jemalloc new 81 delete 80 malloc 1 free 1 unknown 10
