/* box.h - templates as an installed library has them: places-headers.cpp has it at /usr/include.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <string>
#include <vector>

namespace box {
template <class T> struct Value {
  std::vector<Value> *parts = nullptr;
  T *leaf = nullptr;

  __attribute__((noinline)) static Value of(T t) {
    Value value;
    value.leaf = new T(t);
    return value;
  }
  Value() {}
  Value(Value &&from) : parts(from.parts), leaf(from.leaf) {
    from.parts = nullptr;
    from.leaf = nullptr;
  }
  __attribute__((noinline)) void put(T t) {
    if (!parts)
      parts = new std::vector<Value>;
    parts->push_back(of(t));
  }
  __attribute__((noinline)) ~Value() {
    delete parts;
    delete leaf;
  }
};

/* Copies itself for each part that it takes. */
struct Tree {
  std::vector<long> leaves;
  std::vector<Tree> parts;

  explicit Tree(long n) : leaves(8, n) {}
  void put(const Tree &part) { parts.push_back(part); }
};

__attribute__((noinline)) inline long copied(const Tree &tree) {
  Tree own = tree;
  long sum = 0;
  for (long leaf : own.leaves)
    sum += leaf;
  return sum;
}

/* Makes each of its parts, and drops it, in a function of its own. */
template <class T> __attribute__((noinline)) T part(T n) {
  Tree tree(n);
  Value<T> value = Value<T>::of(n);
  return tree.leaves[3] + *value.leaf;
}
template <class T> __attribute__((noinline)) T walk(T n) {
  T sum = 0;
  for (T i = 0; i < n; i++)
    sum += part(i);
  return sum;
}

/* Reads a copy of the text, and one of which nobody reads anything. */
__attribute__((noinline)) inline size_t length(const std::string &text) {
  std::string read = text;
  return (size_t)read[0] + read.size();
}
__attribute__((noinline)) inline size_t size(const std::string &text) {
  std::string unread = text;
  return unread.size();
}

/* Calls back for what it drops. */
template <class F> __attribute__((noinline)) long each(long n, F f) {
  long sum = 0;
  for (long i = 0; i < n; i++) {
    long *made = f(i);
    sum += *made;
    delete made;
  }
  return sum;
}

/* Keeps room for what it is never given. */
struct Cell {
  long first;
  char rest[504];
};
__attribute__((noinline)) inline Cell *cell(long n) {
  Cell *cell = new Cell;
  cell->first = n;
  return cell;
}
} // namespace box
