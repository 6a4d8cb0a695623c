// container-copied.cpp - a vector of texts is taken by value, few times, each copy until shortly before the next; the twin takes a reference.
// One that is sorted is not only read: its array is one chunk, the texts are most. Nobody need copy it anew to change it. So are nodes of a multimap a copy.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: for turns in 100 3000; do \
// RUN:   set -- -O2 -g -DTURNS=$turns %s && \
// RUN:   %clangxx_heapprof "$@" -o %t && %run %t && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s && \
// RUN:   %clangxx_heapprof "$@" -DSORTED -o %t.sorted && %run %t.sorted && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=SORTED %s || exit 1; done
// RUN: %clangxx_heapprof -O2 -g -DTURNS=100 -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// RUN: %clangxx_heapprof -O2 -g -DTURNS=100 -DMULTIMAP %s -o %t.multimap && %run %t.multimap
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=MULTIMAP %s
// CHECK: Likely: process (container-copied.cpp:[[#]]) copies its std::vector<std::string> again and again, {{.*}}, it seems only to read it:
// CHECK-SAME: [copied_to_read]
// SORTED: Likely: process (container-copied.cpp:[[#]]) copies its std::vector<std::string> anew each time, for {{[^:]*}}:
// SORTED-SAME: -> Use the original, or assign it to a copy that is kept from call to call,
// SORTED-SAME: [made_per_call] points #{{[0-9]+}} #
// SORTED-NOT: copied_to_read
// REPAIRED-NOT: process (
// MULTIMAP: Likely: process (container-copied.cpp:[[#]]) copies its std::unordered_multimap<std::string, int> again and again,
// MULTIMAP-NOT: [short_lived]
#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#ifdef MULTIMAP
using Names = std::unordered_multimap<std::string, int>;
static const std::string &text(const Names::value_type &name) {
  return name.first;
}
static void add(Names &names, std::string name) { names.insert({name, 1}); }
#else
using Names = std::vector<std::string>;
static const std::string &text(const std::string &name) { return name; }
static void add(Names &names, std::string name) { names.push_back(name); }
#endif

#ifdef REPAIRED
#define GIVEN const Names &
#else
#define GIVEN Names
#endif

#ifdef SORTED
__attribute__((noinline)) static size_t look(GIVEN names) {
  std::sort(names.begin(), names.end());
  return names[names.size() / 2].size();
}
#else
__attribute__((noinline)) static size_t look(GIVEN names) {
  size_t most = 0;
  for (const auto &name : names)
    most = std::max(most, text(name).size() + (text(name).back() & 1));
  return most;
}
#endif

__attribute__((noinline)) static size_t process(const Names &names) {
  size_t sum = 0;
  for (int i = 0; i < TURNS; i++)
    sum += look(names);
  return sum;
}

int main() {
  Names names;
  for (int i = 0; i < 100; i++)
    add(names, "customer-with-a-long-name-" + std::to_string(i * 7919 % 101));
  return process(names) == 1;
}
