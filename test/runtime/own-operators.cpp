// own-operators.cpp - a program's own operators win, and the forms that C++
// defines by them still reach them, with heapprof as without.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: for which in PLAIN ARRAY ALIGNED; do \
// RUN:   %clangxx -std=c++17 -fno-builtin -w -DOWN_$which %s -o %t.plain && \
// RUN:   %t.plain > %t.expected && \
// RUN:   %clangxx_heapprof -std=c++17 -fno-builtin -w -DOWN_$which %s -o %t && \
// RUN:   %run %t > %t.actual 2> %t.errors && \
// RUN:   diff %t.expected %t.actual && count 0 < %t.errors || exit 1; done
#include <cstdio>
#include <cstdlib>
#include <new>

static int news, deletes;

static void *take(size_t size) {
  news++;
  if (size > 1 << 20)
    throw std::bad_alloc();
  return aligned_alloc(64, (size + 63) & ~(size_t)63);
}

#ifdef OWN_PLAIN
void *operator new(size_t size) { return take(size); }
void operator delete(void *p) noexcept {
  deletes++;
  free(p);
}
#elif defined OWN_ARRAY
void *operator new[](size_t size) { return take(size); }
void operator delete[](void *p) noexcept {
  deletes++;
  free(p);
}
#else
void *operator new(size_t size, std::align_val_t) { return take(size); }
void operator delete(void *p, std::align_val_t) noexcept {
  deletes++;
  free(p);
}
#endif

static void show(const char *what) {
  printf("%s: %d new, %d delete\n", what, news, deletes);
}

int main() {
  const std::align_val_t at = std::align_val_t(64);
  ::operator delete(::operator new(10));
  show("plain");
  ::operator delete(::operator new(10), 10);
  show("sized");
  ::operator delete(::operator new(10, std::nothrow), std::nothrow);
  show("nothrow");
  ::operator delete[](::operator new[](10));
  show("array");
  ::operator delete[](::operator new[](10), 10);
  show("sized array");
  ::operator delete[](::operator new[](10, std::nothrow), std::nothrow);
  show("nothrow array");
  ::operator delete(::operator new(10, at), at);
  show("aligned");
  ::operator delete(::operator new(10, at), 10, at);
  show("sized aligned");
  ::operator delete(::operator new(10, at, std::nothrow), at, std::nothrow);
  show("nothrow aligned");
  ::operator delete[](::operator new[](10, at), at);
  show("aligned array");
  ::operator delete[](::operator new[](10, at), 10, at);
  show("sized aligned array");
  ::operator delete[](::operator new[](10, at, std::nothrow), at, std::nothrow);
  show("nothrow aligned array");
  volatile size_t much = 1 << 21;
  void *p = ::operator new(much, std::nothrow);
  void *q = ::operator new[](much, std::nothrow);
  void *r = ::operator new[](much, at, std::nothrow);
  printf("%d %d %d\n", p != nullptr, q != nullptr, r != nullptr);
  show("failing nothrow");
  return 0;
}
