// places-containers.cpp - class templates of the program's own that are containers by their names, whatever their members are called; an
// allocator of its own that a container of the C++ library asks; a clone() and a maker of shared objects: who uses them is the place.
// A Solver<double> is no container: what it allocates is its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: for flags in "-O2 -std=c++17" "-O1 -fno-inline -std=c++11"; do \
// RUN:   %clangxx_heapprof -g $flags %s -o %t && %run %t && \
// RUN:   %heapprof_score --findings --limit=0 %dump/heapprof.* | tr -s '\n ' ' ' > %t.text && FileCheck %s < %t.text && \
// RUN:   FileCheck --check-prefix=PLUMBING %s < %t.text || exit 1; done
// CHECK-DAG: Fact: 300 std::vector<double> in store (places-containers.cpp:[[#]]) grow
// CHECK-DAG: 300 std::vector<long, Counting<long>> in counted (places-containers.cpp:[[#]]) grow 7 times each{{.*}}all reserve before it is filled
// CHECK-DAG: 300 buffers in arrays (places-containers.cpp:[[#]]) grow
// CHECK-DAG: fixed (places-containers.cpp:[[#]]) {{(has an object of Array<float> that )?}}allocates float of 800 B
// CHECK-DAG: clones (places-containers.cpp:[[#]]) allocates Shape of 48 B
// CHECK-DAG: from bytes (places-containers.cpp:[[#]]) are written and never read
// CHECK-DAG: from more_bytes (places-containers.cpp:[[#]]) are written and never read
// What is a container by its name, but no template, has work of its own:
// CHECK-DAG: from WordList::load (places-containers.cpp:[[#]]) are written and never read
// So has what adds to what it makes, in the midst of its work:
// CHECK-DAG: from Parser::addField (places-containers.cpp:[[#]]) are written and never read
// CHECK-DAG: shared (places-containers.cpp:[[#]]) allocates std::make_shared<Node> of 56 B one after the other, {{[^;]*}}; freed by shared (
// CHECK-DAG: Solver<int>::Solver (places-containers.cpp:[[#]]) allocates int of 400 B
// PLUMBING-NOT: {{((SafeVector|Array|Counting|Cloneable)<[^>]*>+|ByteVector(Private)?)::[^ ~]* \(|create_shared[^ ]* \(}}
#include <cstddef>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#define APART __attribute__((noinline))

template <class T> struct SafeVector : std::vector<T> {
  void store(const T &t) { this->push_back(t); }
};

template <class T> struct Counting {
  typedef T value_type;
  Counting() {}
  template <class U> Counting(const Counting<U> &) {}
  T *allocate(size_t n) {
    return static_cast<T *>(::operator new(n * sizeof(T)));
  }
  void deallocate(T *p, size_t) { ::operator delete(p); }
  bool operator==(const Counting &) const { return true; }
  bool operator!=(const Counting &) const { return false; }
};

template <class T> class Array {
  T *items = nullptr;
  size_t count = 0, room = 0;

public:
  Array() {}
  explicit Array(size_t size) : items(new T[size]()), count(size), room(size) {}
  Array(const Array &) = delete;
  ~Array() { delete[] items; }
  void put(const T &t) {
    if (count == room)
      more();
    items[count++] = t;
  }
  void more() {
    T *larger = new T[room ? room * 2 : 2];
    for (size_t i = 0; i < count; i++)
      larger[i] = items[i];
    delete[] items;
    items = larger;
    room = room ? room * 2 : 2;
  }
  T &operator[](size_t i) { return items[i]; }
};

template <class D> struct Cloneable {
  D *clone() const { return new D(static_cast<const D &>(*this)); }
};
struct Shape : Cloneable<Shape> {
  long sides[6];
  explicit Shape(long n) {
    for (long &side : sides)
      side = n;
  }
};

struct Node {
  long values[5];
  explicit Node(long n) {
    for (long &value : values)
      value = n;
  }
};
template <class T, class... A> std::shared_ptr<T> create_shared(A &&...a) {
  return std::allocate_shared<T>(Counting<T>(), std::forward<A>(a)...);
}

template <class T> struct Solver {
  T *rows;
  APART Solver() : rows(new T[100]()) {}
  Solver(const Solver &) = delete;
  ~Solver() { delete[] rows; }
};

struct ByteVectorPrivate {
  std::vector<char> data;
  APART explicit ByteVectorPrivate(unsigned size) : data(size, 'x') {}
};
class ByteVector {
  ByteVectorPrivate *d;

public:
  APART explicit ByteVector(unsigned size) : d(new ByteVectorPrivate(size)) {}
  ByteVector(const ByteVector &) = delete;
  ~ByteVector() { delete d; }
  size_t size() const { return d->data.size(); }
};

struct WordList {
  long *index = nullptr;
  APART void load(long n) {
    delete[] index;
    index = new long[20];
    index[n % 20] = n;
  }
  ~WordList() { delete[] index; }
};

class Parser {
  std::vector<long *> fields;

  APART void addField(long n) {
    fields.push_back(new long[30]);
    fields.back()[3] = n;
  }
  APART void parseField(long n) { addField(n); }
  APART void parseOther(long n) { addField(n + 1); }
  APART void parseRecord(long n) {
    parseField(n);
    parseOther(n);
  }

public:
  APART void parse(long n) { parseRecord(n); }
  ~Parser() {
    for (long *field : fields)
      delete[] field;
  }
};

static long sum;

APART static void bytes(unsigned n) {
  const ByteVector b(n);
  sum += static_cast<long>(b.size());
}

APART static void more_bytes(unsigned n) {
  const ByteVector b(2 * n);
  sum += static_cast<long>(b.size());
}

APART static void store(int n) {
  SafeVector<double> v;
  for (int i = 0; i < n; i++)
    v.store(i);
  sum += static_cast<long>(v.back());
}

APART static void counted(int n) {
  std::vector<long, Counting<long>> v;
  for (int i = 0; i < n; i++)
    v.push_back(i);
  sum += v.back();
}

APART static void arrays(int n) {
  Array<long> a;
  for (int i = 0; i < n; i++)
    a.put(i);
  sum += a[static_cast<size_t>(n) - 1];
}

APART static void fixed(size_t n) {
  Array<float> a(n);
  for (size_t i = 0; i < n; i++)
    a[i] = 1;
  sum += static_cast<long>(a[n - 1]);
}

APART static void clones(const Shape &shape) {
  Shape *other = shape.clone();
  sum += other->sides[2];
  delete other;
}

APART static void shared(int i) {
  std::shared_ptr<Node> node = create_shared<Node>(i);
  sum += node->values[1];
}

APART static void solve(int i) {
  Solver<int> *solver = new Solver<int>;
  solver->rows[3] = i;
  sum += solver->rows[3] + solver->rows[5];
  delete solver;
}

APART static void parse(Parser &parser, long n) { parser.parse(n); }

APART static void load_one(WordList &list, long n) { list.load(n); }
APART static void load_other(WordList &list, long n) { list.load(2 * n); }

int main() {
  WordList list;
  Parser parser;
  const Shape shape(3);
  for (int i = 0; i < 300; i++) {
    store(200);
    counted(200);
    arrays(200);
    fixed(200);
    clones(shape);
    shared(i);
    solve(i);
    parse(parser, i);
    load_one(list, i);
    load_other(list, i);
    bytes(100);
    more_bytes(100);
  }
  return sum == 7;
}
