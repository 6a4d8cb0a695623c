// places-templates.cpp - a place is not a class's operator new, nor an allocating function template, each of whose instances
// has one caller; and who fills a container of the program's own copies, not the container.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O1 -g -fno-inline %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' > %t.text && FileCheck %s < %t.text
// RUN: FileCheck --check-prefix=PLUMBING %s < %t.text
// CHECK-DAG: measure (places-templates.cpp:[[#]]) allocates short
// Nor a function template that returns what it is told to make.
// CHECK-DAG: count (places-templates.cpp:[[#]]) allocates long
// CHECK-DAG: from draw (places-templates.cpp:[[#]])
// CHECK-DAG: remember (places-templates.cpp:[[#]]) copies Feature, which allocates, and frees the copy
// PLUMBING-NOT: {{(zeroed_alloc|operator new|push_back|heap_array)[^ ]* \(}}
#include <cstdlib>
#include <cstring>
#include <new>

template <class T> T *zeroed_alloc(size_t count) {
  return static_cast<T *>(calloc(count, sizeof(T)));
}

static long sum;

struct Segment {
  long from, to;
  void *operator new(size_t size) { return zeroed_alloc<unsigned char>(size); }
  void operator delete(void *p) { free(p); }
};

struct Feature {
  int *values;
  Feature() : values(static_cast<int *>(calloc(20, sizeof(int)))) {}
  Feature(const Feature &from)
      : values(static_cast<int *>(malloc(20 * sizeof(int)))) {
    memcpy(values, from.values, 20 * sizeof(int));
  }
  ~Feature() { free(values); }
};

template <class T> struct Vector {
  T *first, *last;
  explicit Vector(void *room) : first(static_cast<T *>(room)), last(first) {}
  ~Vector() { clear(); }
  void clear() {
    while (last != first)
      (--last)->~T();
  }
  void push_back(const T &value) { new (last++) T(value); }
};

static void measure(int i) {
  short *widths = zeroed_alloc<short>(40);
  widths[i % 40] = (short)i;
  for (int k = 0; k < 40; k++)
    sum += widths[k];
  free(widths);
}

template <class T> struct Array {
  T *first;
};
template <class T> Array<T> heap_array(size_t count) {
  return {static_cast<T *>(malloc(count * sizeof(T)))};
}

static void count(int i) {
  Array<long> all = heap_array<long>(30);
  for (int k = 0; k < 30; k++)
    all.first[k] = i + k;
  for (int k = 0; k < 30; k++)
    sum += all.first[k];
  free(all.first);
}

static void draw(int i) {
  Segment *s = new Segment;
  s->from = i;
  s->to = i + 1;
  sum += s->to - s->from;
  delete s;
}

static void remember(Vector<Feature> &all, const Feature &one) {
  all.push_back(one);
}

int main() {
  alignas(Feature) static char room[sizeof(Feature)];
  Feature one;
  for (int i = 0; i < 2000; i++) {
    measure(i);
    count(i);
    draw(i);
    Vector<Feature> all(room);
    remember(all, one);
    sum += all.first->values[i % 20];
  }
  return sum == 0;
}
