// A class that allocates its objects itself.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: %clangxx_heapprof -O2 %s -o %t && %run %t && %check_types
#include "rows.h"
#include <new>

struct ByMalloc {
  char C[200];
  static void *operator new(size_t N) { return malloc(N); }
  static void operator delete(void *P) { free(P); }
};
struct ByGlobal {
  char C[208];
  static void *operator new(size_t N) { return ::operator new(N); }
};
// Its header is no object of the class.
struct WithHeader {
  char C[216];
  static void *operator new(size_t N) {
    auto *P = (unsigned long *)malloc(N + sizeof(unsigned long));
    *P = N;
    return P + 1;
  }
};
// Takes them from a pool, whose block is no object.
struct Pooled {
  char C[72];
  static inline char *Pool = nullptr;
  static void *operator new(size_t N) {
    if (!Pool)
      Pool = new char[1600]; // TYPE 1600 argument char
    char *P = Pool;
    Pool += N;
    return P;
  }
};
// Its size is multiplied by a function that has a variable of the caller to set.
static bool checkedMul(size_t A, size_t B, size_t &Total) {
  Total = A * B;
  return B && Total / B != A;
}
template <typename T> T *allocate(size_t N) {
  size_t Total;
  if (checkedMul(N, sizeof(T), Total))
    return nullptr;
  return static_cast<T *>(malloc(Total));
}
struct ByReference {
  char C[232];
  static void *operator new(size_t N) { return allocate<unsigned char>(N); }
  static void operator delete(void *P) { free(P); }
};

int main() {
  keep(new ByMalloc);   // TYPE 200 wrapper ByMalloc
  keep(new ByGlobal);   // TYPE 208 wrapper ByGlobal
  keep(new WithHeader); // TYPE 224 wrapper WithHeader
  keep(new Pooled);
  keep(new Pooled);
  keep(new ByReference);      // TYPE 232 wrapper ByReference
  void *After = malloc(1601); // TYPE 1601 -
  keep(After);
  return 0;
}
