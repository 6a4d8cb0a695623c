// What is thrown, by the type that the catching side is told.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: for level in -O0 -O1 -O2 -Os; do \
// RUN:   %clangxx_heapprof $level %s -o %t && %run %t && %check_types || { echo "at $level"; exit 1; }; done
#include "rows.h"
#include <exception>
#include <stdexcept>
#include <string>

struct Thrown {
  char C[333];
};
template <class T> struct Instance {
  char C[444];
};
struct Derived : std::runtime_error {
  Derived() : std::runtime_error("derived") {}
  char C[555];
};

static std::exception_ptr Kept[8];
template <class T> void keepThrown(int I) {
  try {
    throw T();
  } catch (...) {
    Kept[I] = std::current_exception();
  }
}

int main() {
  // 128 bytes are the library's.
  keepThrown<Thrown>(0);        // TYPE 461 wrapper Thrown
  keepThrown<Instance<int>>(1); // TYPE 572 wrapper Instance<int>
  keepThrown<Derived>(2);       // TYPE 704 wrapper Derived
  keepThrown<int>(3);           // TYPE 132 wrapper int
  Kept[4] = std::make_exception_ptr(
      Instance<long>()); // TYPE 572 wrapper Instance<long>
  // The library throws it.
  try {
    std::string().at(3);
  } catch (...) {
    Kept[5] = std::current_exception(); // TYPE 144 symbol exception object
  }
  // What is thrown once more is referred to by a header alone.
  try {
    std::rethrow_exception(Kept[0]); // TYPE 112 symbol dependent exception
  } catch (const Thrown &) {
  }
  keep(malloc(461)); // TYPE 461 -
  return 0;
}
