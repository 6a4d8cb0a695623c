// The same by references, member functions and templates.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: for level in -O0 -O1 -O2; do \
// RUN:   %clangxx_heapprof $level %s -o %t && %run %t && %check_types || { echo "at $level"; exit 1; }; done
#include "rows.h"

__attribute__((noinline)) bool byReference(void *&Out, size_t N) {
  Out = malloc(N);
  return Out != nullptr;
}
struct Device {
  int Asked = 0;
  __attribute__((noinline)) int get(void **Out, size_t N) {
    ++Asked;
    *Out = ::operator new(N);
    return 0;
  }
  template <class T> int getMany(T **Out, size_t N) {
    return get(reinterpret_cast<void **>(Out), N * sizeof(T));
  }
};

int main() {
  Q *One;
  R *Two;
  byReference(reinterpret_cast<void *&>(One), 601); // TYPE 601 wrapper Q
  keep(One);
  Device D;
  D.get(reinterpret_cast<void **>(&Two), 602); // TYPE 602 wrapper R
  keep(Two);
  D.getMany(&Two, 26); // TYPE 624 wrapper R = 26 of 24
  keep(Two);
  return 0;
}
