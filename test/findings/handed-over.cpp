// handed-over.cpp - functions that take a text, a record or a vector by value, or by &&, and copy it to where it stays, so that the parameter is dropped behind the call.
// The twin moves it. Who takes one by value to look for something, and keeps another one, is not told so; nor is who copies a reference.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: for level in 0 2; do \
// RUN:   %clangxx_heapprof -O$level -g %s -o %t && %run %t && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s && \
// RUN:   %clangxx_heapprof -O$level -g -DREPAIRED %s -o %t && %run %t && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s || exit 1; done
// CHECK-DAG: Likely: Names::add (handed-over.cpp:[[#]]) takes std::string by value and copies it, and its caller drops what it copied: 1000 allocations {{[^>]*}} -> Move it: std::move of the parameter, where it is copied.
// CHECK-DAG: Likely: Names::put (handed-over.cpp:[[#]]) takes std::string by value and copies it,
// CHECK-DAG: Likely: Table::add (handed-over.cpp:[[#]]) takes Row by value and copies it, and its caller drops what it copied: 2000 allocations
// CHECK-DAG: Likely: Item::Item (handed-over.cpp:[[#]]) takes std::vector<int> by value and copies it,
// CHECK-DAG: Likely: Names::take (handed-over.cpp:[[#]]) takes std::string by && and copies it, and its caller drops what it copied: 1000 allocations {{[^>]*}} -> Move it: std::move of the parameter, where it is copied.
// The vector has grown, so that most of what its line allocated was smaller:
// CHECK-DAG: Likely: Tree::Tree (handed-over.cpp:[[#]]) takes std::vector<long> by && and copies it,
// CHECK-NOT: makes its std::string anew each time, {{[^>]*}} freed by (names|rows|items)
// CHECK-NOT: Names::keep (handed-over.cpp:[[#]]) takes
// CHECK-NOT: Table::refer (handed-over.cpp:[[#]]) takes
// REPAIRED-NOT: and copies it
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#ifdef REPAIRED
#define GIVEN(x) std::move(x)
#else
#define GIVEN(x) x
#endif
#define NUMBER 1000

struct Row {
  std::string key, value;
};

struct Table {
  std::vector<Row> rows;
  void add(Row row) { rows.push_back(GIVEN(row)); }
  void refer(const Row &row) { rows.push_back(row); }
};

struct Names {
  std::vector<std::string> all, kept;
  std::map<int, std::string> numbered;
  std::map<std::string, std::string> titles;
  void add(std::string name) { all.push_back(GIVEN(name)); }
  void take(std::string &&name) { all.push_back(GIVEN(name)); }
  void put(int i, std::string name) { numbered[i] = GIVEN(name); }
  void keep(std::string name) { kept.push_back(titles[name]); }
};

struct Item {
  std::vector<int> list;
  explicit Item(std::vector<int> given) : list(GIVEN(given)) {}
};

struct Tree {
  std::vector<long> list;
  explicit Tree(std::vector<long> &&given) : list(GIVEN(given)) {}
  long sum() const {
    long all = 0;
    for (const long n : list)
      all += n;
    return all;
  }
};

static std::string name_of(int i) {
  return "somebody with quite a long name, " + std::to_string(i + 1000);
}

__attribute__((noinline)) static void names(Names &all) {
  for (int i = 0; i < NUMBER; i++) {
    all.add(name_of(i));
    all.take(name_of(i));
    all.put(i, name_of(i));
  }
}
__attribute__((noinline)) static void keep(Names &all) {
  for (int i = 0; i < NUMBER; i++)
    all.keep(name_of(i % 10));
}
__attribute__((noinline)) static void rows(Table &table) {
  for (int i = 0; i < NUMBER; i++) {
    Row row{name_of(i), "a value that is longer than sixteen bytes"};
    table.add(std::move(row));
  }
}
__attribute__((noinline)) static void refer(Table &table, const Row &row) {
  for (int i = 0; i < NUMBER; i++)
    table.refer(row);
}
__attribute__((noinline)) static void
items(std::vector<std::unique_ptr<Item>> &all) {
  for (int i = 0; i < NUMBER; i++)
    all.push_back(std::make_unique<Item>(std::vector<int>(10 + i % 8, i)));
}

__attribute__((noinline)) static std::vector<long> numbers(int n) {
  std::vector<long> all;
  for (int i = 0; i < n; i++)
    all.push_back(i);
  return all;
}
__attribute__((noinline)) static long trees() {
  long sum = 0;
  for (int i = 0; i < NUMBER; i++)
    sum += Tree(numbers(9 + i % 8)).sum();
  return sum;
}

int main() {
  Names all;
  for (int i = 0; i < 10; i++)
    all.titles[name_of(i)] = std::string(90, char('a' + i));
  all.all.reserve(2 * NUMBER);
  all.kept.reserve(NUMBER);
  names(all);
  keep(all);
  Table table;
  table.rows.reserve(2 * NUMBER);
  rows(table);
  const Row row = table.rows[7];
  refer(table, row);
  std::vector<std::unique_ptr<Item>> list;
  items(list);
  size_t sum = all.titles.size() + size_t(trees());
  for (int i = 0; i < NUMBER; i++)
    sum += all.all[i][5] + all.kept[i][6] + all.numbered[i][3] +
           table.rows[2 * i].key[4] + table.rows[2 * i].value[5] +
           list[i]->list[7];
  return sum == 7;
}
