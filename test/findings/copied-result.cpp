// copied-result.cpp - members that return what the object has by value: a vector of texts, a map, a record, an optional text; each copy lives as long as its caller's turn, few or many, and is dropped there.
// The twin returns references. What a member makes of its copy is no copy to read.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: for turns in 30 600; do \
// RUN:   %clangxx_heapprof -O2 -g -DTURNS=$turns %s -o %t && %run %t && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s && \
// RUN:   %clangxx_heapprof -O2 -g -DTURNS=$turns -DREPAIRED %s -o %t && %run %t && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s || exit 1; done
// CHECK-DAG: Likely: Store::names (copied-result.cpp:[[#]]) copies its std::vector<std::string> again and again, {{[0-9.]+}} {{[KM]}}iB in all, it seems only to read it: {{[^>]*}} -> Return it by const reference, if the original is there for longer than the call;
// CHECK-DAG: Likely: Store::ages (copied-result.cpp:[[#]]) copies its std::map<int, std::string> again and again,
// CHECK-DAG: Likely: Store::settings (copied-result.cpp:[[#]]) copies Settings, which allocates, and frees the copy after {{[^>]*}} -> Return it by const reference, if the original is there for longer than the call;
// CHECK-DAG: Likely: Store::note (copied-result.cpp:[[#]]) copies std::optional again and again, {{[^>]*}} -> Return it by const reference, if the original is there for longer than the call;
// CHECK-DAG: Likely: Store::sorted (copied-result.cpp:[[#]]) copies its std::vector<std::string> anew each time,
// CHECK-NOT: [generation]
// REPAIRED-NOT: Store::names (
// REPAIRED-NOT: Store::ages (
// REPAIRED-NOT: Store::settings (
// REPAIRED-NOT: Store::note (
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#ifdef REPAIRED
#define RETURNED(...) const __VA_ARGS__ &
#else
#define RETURNED(...) __VA_ARGS__
#endif

#define ENTRIES (12000 / TURNS)

struct Settings {
  std::string title = "a title that is longer than sixteen bytes";
  std::vector<int> widths = std::vector<int>(40);
};

class Store {
  std::vector<std::string> all;
  std::map<int, std::string> old;
  Settings shown;
  std::optional<std::string> noted = "a note that is longer than others";

public:
  Store() {
    for (int i = 0; i < ENTRIES; i++) {
      all.push_back("somebody with a long name " +
                    std::to_string(i * 7 % 1000));
      old[i] = all.back();
    }
  }
  RETURNED(std::vector<std::string>) names() const { return all; }
  RETURNED(std::map<int, std::string>) ages() const { return old; }
  RETURNED(Settings) settings() const { return shown; }
  RETURNED(std::optional<std::string>) note() const { return noted; }
  std::vector<std::string> sorted() const {
    std::vector<std::string> names = all;
    std::sort(names.begin(), names.end());
    return names;
  }
};

static size_t sum;

__attribute__((noinline)) static void look(const Store &store) {
  for (const std::string &name : store.names())
    sum += name[3];
}
__attribute__((noinline)) static void find(const Store &store) {
  for (const auto &entry : store.ages())
    sum += entry.second[1];
}
__attribute__((noinline)) static void show(const Store &store) {
  for (int i = 0; i < 10; i++) {
    RETURNED(Settings) s = store.settings();
    sum += s.title[4] + s.widths[i];
  }
}
__attribute__((noinline)) static void recall(const Store &store) {
  for (int i = 0; i < 60; i++)
    sum += (*store.note())[5];
}
__attribute__((noinline)) static void order(const Store &store) {
  sum += store.sorted()[0].size();
}

int main() {
  Store store;
  for (int turn = 0; turn < TURNS; turn++) {
    look(store);
    find(store);
    show(store);
    recall(store);
    if (turn % 2 == 0)
      order(store);
  }
  return sum == 7;
}
