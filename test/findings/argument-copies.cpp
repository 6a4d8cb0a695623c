// argument-copies.cpp - what the C++ library calls takes texts by value: an algorithm's lambda, a visitor, a std::function,
// a comparison of a map, a hash; and its twin, whose functions take them by const reference.
// That the comparison's arguments are copied was told as a map that is made anew.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -std=c++17 -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// Where the plain compiler links none with libc++, that is left out.
// RUN: set -- -stdlib=libc++ -std=c++17 -O1 -g %s; if %clangxx "$@" -o %t.plain; then \
// RUN:   %clangxx_heapprof "$@" -o %t.libcxx && %run %t.libcxx && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s || exit 1; fi
// RUN: %clangxx_heapprof -std=c++17 -O1 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK-NOT: anew each time
// CHECK-DAG: Likely: each (argument-copies.cpp:[[#]]) has the C++ library call what takes std::string by value, which copies {{[0-9]+}} KiB in all, it seems only to read it: 4000 allocations
// CHECK-DAG: Likely: count (argument-copies.cpp:[[#]]) has the C++ library call what takes std::string by value
// CHECK-DAG: Likely: visited (argument-copies.cpp:[[#]]) has the C++ library call what takes std::string by value
// CHECK-DAG: Likely: called (argument-copies.cpp:[[#]]) has the C++ library call what takes std::string by value
// CHECK-DAG: Likely: compared (argument-copies.cpp:[[#]]) has the C++ library call what takes std::string by value
// CHECK-DAG: Likely: hashed (argument-copies.cpp:[[#]]) has the C++ library call what takes std::string by value
// CHECK-DAG: -> Let what is called there, as a lambda, a comparison or a hash, take it by const reference.
// CHECK-NOT: anew each time
// REPAIRED: no findings
#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#ifdef REPAIRED
typedef const std::string &argument;
#else
typedef std::string argument;
#endif

#define APART __attribute__((noinline)) static

struct Less {
  bool operator()(argument a, argument b) const { return a < b; }
};
struct Hash {
  size_t operator()(argument a) const { return a[a.size() - 1]; }
};
struct Visitor {
  size_t operator()(int number) const { return number; }
  size_t operator()(argument text) const { return text[30]; }
};

typedef std::vector<std::string> Texts;
typedef std::variant<int, std::string> Value;

APART size_t each(const Texts &texts) {
  size_t sum = 0;
  std::for_each(texts.begin(), texts.end(),
                [&](argument text) { sum += text[30]; });
  return sum;
}

APART size_t count(const Texts &texts) {
  return std::count_if(texts.begin(), texts.end(),
                       [](argument text) { return text[39] == '1'; });
}

APART size_t visited(const std::vector<Value> &values) {
  size_t sum = 0;
  for (const Value &value : values)
    sum += std::visit(Visitor(), value);
  return sum;
}

APART size_t
called(const Texts &texts,
       const std::function<size_t(const std::string &)> &function) {
  size_t sum = 0;
  for (const std::string &text : texts)
    sum += function(text);
  return sum;
}

APART size_t compared(const std::map<std::string, int, Less> &map,
                      const Texts &texts) {
  size_t sum = 0;
  for (const std::string &text : texts)
    sum += map.find(text)->second;
  return sum;
}

APART size_t hashed(const std::unordered_map<std::string, int, Hash> &map,
                    const Texts &texts) {
  size_t sum = 0;
  for (const std::string &text : texts)
    sum += map.find(text)->second;
  return sum;
}

int main() {
  Texts texts;
  std::vector<Value> values;
  texts.reserve(40);
  values.reserve(40);
  std::map<std::string, int, Less> map;
  std::unordered_map<std::string, int, Hash> table;
  table.reserve(40);
  for (int i = 0; i < 40; i++) {
    texts.push_back("a text that is long enough, the number " +
                    std::to_string(10 + i));
    values.push_back(texts.back());
    map[texts.back()] = i;
    table[texts.back()] = i;
  }
  std::function<size_t(const std::string &)> function = [](argument text) {
    return text[30];
  };
  size_t sum = 0;
  for (int i = 0; i < 100; i++)
    sum += each(texts) + count(texts) + visited(values) +
           called(texts, function) + compared(map, texts) +
           hashed(table, texts);
  return sum == 0;
}
