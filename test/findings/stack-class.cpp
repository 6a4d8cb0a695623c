// stack-class.cpp - a function that only has objects of a class, which allocates and frees for itself, cannot have its
// memory on the stack: the class can. Who frees by a class what is its own, as by a smart pointer, can.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// CHECK-DAG: trace (stack-class.cpp:[[@LINE+76]]) has an object of Matrix that allocates double of 72 B for itself, and frees each, {{[^>]*}} -> Let Matrix have room for 72 B in itself, and allocate for more only.
// CHECK-DAG: count (stack-class.cpp:[[@LINE+84]]) has an object of Text that allocates char of 24 B for itself, and frees each, {{[^>]*}} -> Let Text have room for 24 B in itself
// CHECK-DAG: large (stack-class.cpp:[[@LINE+91]]) has an object of Matrix that allocates double of 2.00 KiB for itself, {{[^>]*}} -> Keep an object of Matrix from call to call.
// CHECK-DAG: hidden (stack-class.cpp:[[@LINE+98]]) has an object of Widget that allocates Widget::Parts of 24 B for itself, and frees each, {{[^>]*}} -> Let Widget have room for 24 B in itself
// CHECK-DAG: guarded (stack-class.cpp:[[@LINE+102]]) allocates int of 64 B for itself, and frees each, {{[^>]*}} -> Use a variable on the stack: 64 B are enough.
// CHECK-DAG: pointed (stack-class.cpp:[[@LINE+109]]) allocates Point of 16 B for itself, and frees each, {{[^>]*}} -> Use a variable on the stack: 16 B are enough.
#include <cstdlib>
#include <cstring>

static void *volatile seen; // so that the compiler leaves no new out

class Matrix {
  double *d;
  int n;

public:
  explicit Matrix(int n) : d(new double[n * n]), n(n) {}
  Matrix(const Matrix &) = delete;
  ~Matrix() { delete[] d; }
  double &at(int i, int j) { return d[i * n + j]; }
};

namespace {
class Text {
  char *s;
  size_t n;
  static char *make(size_t n) { return (char *)malloc(n + 1); }

public:
  explicit Text(const char *t) : s(make(strlen(t))), n(strlen(t)) {
    memcpy(s, t, n + 1);
  }
  Text(const Text &) = delete;
  ~Text() { free(s); }
  char operator[](size_t i) const { return s[i]; }
  size_t size() const { return n; }
};
} // namespace

class Widget {
  struct Parts {
    volatile long a, b, c;
  } *parts;

public:
  explicit Widget(long a) : parts(new Parts{a, a + 1, a + 2}) { seen = parts; }
  Widget(const Widget &) = delete;
  ~Widget() { delete parts; }
  long sum() const { return parts->a + parts->b + parts->c; }
};

class Guard {
  void *p;

public:
  explicit Guard(void *p) : p(p) {}
  Guard(const Guard &) = delete;
  ~Guard() { free(p); }
};

struct Point {
  volatile long x, y;
};

template <typename T> class Pointer {
  T *p;
  explicit Pointer(T *p) : p(p) { seen = p; }

public:
  static Pointer make() { return Pointer(new T()); }
  Pointer(const Pointer &) = delete;
  ~Pointer() { delete p; }
  T *operator->() const { return p; }
};

__attribute__((noinline)) static double trace(double x) {
  Matrix m(3);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      m.at(i, j) = x + i * j;
  return m.at(0, 0) + m.at(1, 1) + m.at(2, 2);
}

__attribute__((noinline)) static int count(const char *t) {
  int k = 0;
  Text x(t);
  for (size_t i = 0; i < x.size(); i++)
    k += x[i] == 'a';
  return k;
}

__attribute__((noinline)) static double large(double x) {
  double sum = 0;
  Matrix m(16);
  for (int i = 0; i < 16; i++)
    for (int j = 0; j < 16; j++)
      sum += m.at(i, j) = x;
  return sum + m.at(3, 3);
}

__attribute__((noinline)) static long hidden(long x) {
  Widget w(x);
  return w.sum();
}

__attribute__((noinline)) static int guarded(int x) {
  int *p = (int *)malloc(16 * sizeof(int));
  Guard guard(p);
  for (int i = 0; i < 16; i++)
    p[i] = x + i;
  return p[3] + p[x % 16];
}

__attribute__((noinline)) static long pointed(long x) {
  auto p = Pointer<Point>::make();
  p->x = x;
  p->y = x + 1;
  return p->x * p->y;
}

int main() {
  double sum = 0;
  for (int i = 0; i < 3000; i++)
    sum += trace(i) + count("abracadabra abracadabra") + large(i) + hidden(i) +
           guarded(i) + (double)pointed(i);
  return sum == 1;
}
