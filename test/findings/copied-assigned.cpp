// copied-assigned.cpp - an operator= and a setter keep a copy of a text in their object: neither is to return it by const reference.
// Who returns what it copies is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// CHECK-DAG: Value::operator= (copied-assigned.cpp:[[#]]) copies its std::string again and again, {{[^>]*}}-> Pass it as std::string_view or const reference, or move it
// CHECK-DAG: Value::set (copied-assigned.cpp:[[#]]) copies its std::string again and again, {{[^>]*}}-> Pass it as std::string_view or const reference, or move it
// CHECK-DAG: Value::get (copied-assigned.cpp:[[#]]) copies its std::string again and again, {{[^>]*}}-> Return it by const reference
#include <string>

#define APART __attribute__((noinline))

class Value {
  std::string text;

public:
  APART Value &operator=(const std::string &given) {
    text = given;
    return *this;
  }
  APART void set(const std::string &given) { text = given; }
  APART std::string get() const { return text; }
  size_t length() const { return text.size() + (size_t)text[3]; }
};

APART static size_t assigned(const std::string &given) {
  Value value;
  value = given;
  return value.length();
}

APART static size_t set(const std::string &given) {
  Value value;
  value.set(given);
  return value.length();
}

APART static size_t got(const Value &value) {
  const std::string text = value.get();
  return text.size() + (size_t)text[3];
}

int main() {
  const std::string given = "a text that is long enough for a chunk";
  Value kept;
  kept = given;
  size_t sum = 0;
  for (int i = 0; i < 1000; i++)
    sum += assigned(given) + set(given) + got(kept);
  return sum == 0;
}
