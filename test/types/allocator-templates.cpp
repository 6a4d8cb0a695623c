// Allocators of the program, by templates.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: %clangxx_heapprof -O2 %s -o %t && %run %t && %check_types
#include "rows.h"
#include <new>
#include <vector>

struct Element {
  long L[37];
};
template <class T> struct CastingAllocator {
  using value_type = T;
  T *allocate(size_t N) { return static_cast<T *>(malloc(N * sizeof(T))); }
  void deallocate(T *P, size_t) { free(P); }
};
template <class T> struct OperatorAllocator {
  using value_type = T;
  T *allocate(size_t N) { return (T *)::operator new(N * sizeof(T)); }
  void deallocate(T *P, size_t) { ::operator delete(P); }
};
template <class T> size_t bytesOf(size_t N) { return N * sizeof(T); }
template <class T> T *typed(void *P) { return (T *)P; }
template <class T> struct SilentAllocator {
  using value_type = T;
  T *allocate(size_t N) { return typed<T>(malloc(bytesOf<T>(N))); }
  void deallocate(T *P, size_t) { free(P); }
};
// Without a class: the T of a function.
template <class T> T *make(size_t N) { return (T *)malloc(N * sizeof(T)); }
template <class T> T *one() {
  void *P = malloc(sizeof(T));
  return new (P) T;
}

int main() {
  std::vector<Element, CastingAllocator<Element>> Casting(
      2); // TYPE 592 argument Element
  std::vector<Element, OperatorAllocator<Element>> Operator(
      4); // TYPE 1184 argument Element
  std::vector<Element, SilentAllocator<Element>> Silent(
      3); // TYPE 888 instantiation Element
  keep(Casting.data());
  keep(Operator.data());
  keep(Silent.data());
  keep(make<Element>(5)); // TYPE 1480 argument Element
  keep(one<Element>());   // TYPE 296 argument Element
  return 0;
}
