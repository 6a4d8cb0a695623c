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
} // namespace box
