// places.cpp - a place is a line where a person can change something: not a copy constructor, a container of one's own, a strndup.
// A filter moves nothing. Its twin is repaired.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O1 -g -fno-inline %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' > %t.text && FileCheck %s < %t.text
// RUN: FileCheck --check-prefix=PLUMBING %s < %t.text
// RUN: %heapprof_score --findings --filter function=read_word %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=FILTER %s
// RUN: %heapprof_score --json %dump/heapprof.* > %t.json && %python %S/../score/check_schema.py %heapprof_source_dir/docs/heapprof.score.schema.json < %t.json
// RUN: %clangxx_heapprof -O1 -g -fno-inline -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// The copy of a class wants a reference, at the line that copies.
// CHECK-DAG: visit (places.cpp:[[#]]) copies Value{{[^>]*}}-> Take it by const reference, or move it
// A class template that makes room: who fills it.
// CHECK-DAG: in fill (places.cpp:[[#]]) grow
// Arrays of one function that grow side by side are one finding.
// CHECK-DAG: in store (places.cpp:[[#]]) grow{{[^>]*}}, and so at 2 other lines of it
// Two callers of a wrapper are two causes.
// CHECK-DAG: read_word (places.cpp:[[#]]) allocates
// CHECK-DAG: read_line (places.cpp:[[#]]) allocates
// CHECK-DAG: called by main (places.cpp:[[#]])
// PLUMBING-NOT: {{(xstrndup|Value::copy|Value::Value|vec<int>::capacity|vec<int>::push) \(places.cpp:[0-9]+\) (allocates|copies|grows)}}
// FILTER-NOT: xstrndup (places
// FILTER: read_word (places.cpp:[[#]]) allocates
// REPAIRED: no findings
#include <cstdlib>
#include <cstring>

static long sum;

struct Value {
  char *text;
  char *copy(const char *from) {
    char *to = static_cast<char *>(malloc(200));
    memcpy(to, from, 200);
    return to;
  }
  Value() : text(static_cast<char *>(calloc(200, 1))) {}
  Value(const Value &other) : text(copy(other.text)) {}
  Value &operator=(const Value &) = delete;
  ~Value() { free(text); }
};

#ifdef REPAIRED
#define BY &
#else
#define BY
#endif
static void look_at(Value BY value) { sum += value.text[7]; }
static void visit(Value &value) { look_at(value); }

template <class T> struct vec {
  T *data = nullptr;
  int size = 0, room = 0;
  void capacity(int least) {
    if (least <= room)
      return;
    room = least > room * 2 ? least : room * 2;
    data = static_cast<T *>(realloc(data, room * sizeof(T)));
  }
  void push(T value) {
    capacity(size + 1);
    data[size++] = value;
  }
  ~vec() { free(data); }
};

static void fill(vec<int> &numbers, int count) {
#ifdef REPAIRED
  numbers.capacity(count);
#endif
  for (int i = 0; i < count; i++)
    numbers.push(i);
}

struct tables {
  int *a;
  long *b;
  short *c;
};
static void store(tables *t, size_t room) {
#ifdef REPAIRED
  if (t->a)
    return;
  room = 1000;
#endif
  t->a = static_cast<int *>(realloc(t->a, room * sizeof *t->a));
  t->b = static_cast<long *>(realloc(t->b, room * sizeof *t->b));
  t->c = static_cast<short *>(realloc(t->c, room * sizeof *t->c));
  for (size_t i = 0; i < room; i++)
    sum += t->a[i] = t->b[i] = t->c[i] = 1;
}

#ifdef REPAIRED
static char buffer[64];
#define xstrndup(text, size) static_cast<char *>(memcpy(buffer, text, size))
#define xfree(text)
#else
extern "C" char *xstrndup(const char *text, size_t size) {
  char *copy = static_cast<char *>(malloc(size + 1));
  if (!copy)
    abort();
  memcpy(copy, text, size);
  copy[size] = 0;
  return copy;
}
#define xfree(text) free(text)
#endif
static char *read_word(int i) {
  return xstrndup("a few words of text", 3 + i % 7);
}
static char *read_line(int i) {
  return xstrndup("a line of text, longer", 9 + i % 9);
}
static void drop(char *text) {
  sum += text[1];
  xfree(text);
}

int main() {
  Value value;
  for (int i = 0; i < 1000; i++)
    visit(value);
  vec<int> numbers;
  fill(numbers, 100000);
  for (int i = 0; i < 1000; i++)
    sum += numbers.data[i * 100];
  tables t = {};
  for (size_t room = 100; room <= 1000; room += 100)
    store(&t, room);
  for (int i = 0; i < 1000; i++)
    sum += t.a[i] + t.b[i] + t.c[i];
  free(t.a);
  free(t.b);
  free(t.c);
  for (int i = 0; i < 500; i++) {
    drop(read_word(i));
    drop(read_line(i));
  }
  return sum == 0;
}
