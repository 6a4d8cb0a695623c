// A program's own operator new is called as ever, exceptions leave, and the
// chunks have their types.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: for flags in -O0 -O2 '-O2 -g'; do for own in -DOWN ''; do \
// RUN:   %clangxx_heapprof $flags $own %s -o %t && %run %t && %check_types || \
// RUN:     { echo "with $flags $own"; exit 1; }; \
// RUN: done; done
#include <cstdlib>
#include <new>
#include <stdexcept>

struct Q {
  int A = 1, B = 2;
};
struct Throws {
  int V[25];
  __attribute__((noinline)) Throws() { throw std::runtime_error("no"); }
};

static int Calls;
#ifdef OWN
void *operator new(size_t N) {
  Calls++;
  if (N > 1u << 30)
    throw std::bad_alloc();
  return malloc(N);
}
void operator delete(void *P) noexcept { free(P); }
void operator delete(void *P, size_t) noexcept { free(P); }
#endif

void *volatile Sink;
template <class T> void keep(T *P) { Sink = (void *)P; }

__attribute__((noinline)) void *mayThrow(size_t N) {
  if (N == 41)
    throw 1;
  return malloc(N);
}

struct Thrown {
  char C[201];
};
struct Source {
  __attribute__((noinline)) virtual void *get(size_t N) {
    if (N == 51)
      throw Thrown(); // TYPE 329 wrapper Thrown
    return malloc(N);
  }
  virtual ~Source() = default;
};

int main() {
  keep(new Q[10]);
  keep(new (std::nothrow) Q[11]);
  bool Caught = false;
  try {
    keep(new Throws);
  } catch (const std::runtime_error &) {
    Caught = true;
  }
  volatile size_t Huge = (size_t)1 << 60;
  try {
    keep(new char[Huge]);
    return 1;
  } catch (const std::bad_alloc &) {
  }
  keep(new (std::nothrow) char[Huge]);
  if (Sink)
    return 2;
  // The scope that the exception leaves names nothing that comes after.
  try {
    keep((Q *)mayThrow(41));
  } catch (int) {
  }
  keep(malloc(43));        // TYPE 43 -
  keep((Q *)mayThrow(47)); // TYPE 47 wrapper Q
  Source S;
  try {
    keep((Q *)S.get(51));
  } catch (const Thrown &) {
  }
  keep(malloc(53));     // TYPE 53 -
  keep((Q *)S.get(59)); // TYPE 59 wrapper Q
#ifdef OWN
  return Caught && Calls >= 5 ? 0 : 3;
#else
  return Caught ? 0 : 3;
#endif
}
