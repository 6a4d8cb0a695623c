// copied-whole.cpp - a map is copied in each turn, with keys and values of classes that allocate: one copy, and one finding, of all that it holds.
// Its tree is so deep that what an element holds is allocated 30 frames inward.  The repaired twin reads the original.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings --limit=0 %dump/heapprof.* | tr -s '\n ' ' ' > %t.out && FileCheck %s < %t.out && FileCheck --check-prefix=NONE %s < %t.out
// CHECK: copies its std::map<Key, std::unordered_map<int, Value>> anew each time, {{[^>]*}}: 600000 allocations (98 % of all)
// NONE-NOT: {{copies (Key|Value)|(Key|Value)::|never read}}
// RUN: %clangxx_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings --limit=0 %dump/heapprof.* | FileCheck --check-prefix=REPAIRED %s
// REPAIRED-NOT: copies
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

struct Key {
  std::string name;
  std::string kind;
  bool operator<(const Key &other) const { return name < other.name; }
};

struct Value {
  std::vector<std::shared_ptr<int>> parts;
};

using Table = std::map<Key, std::unordered_map<int, Value>>;

static size_t count(const Table &of) {
#ifdef REPAIRED
  const Table &table = of;
#else
  const Table table = of;
#endif
  return table.begin()->second.size();
}

int main() {
  Table table;
  for (int i = 0; i < 2000; i++)
    table[{std::to_string(i) + " is a key of the table", "kept"}][i]
        .parts.push_back(std::make_shared<int>(i));
  size_t sum = 0;
  for (int turn = 0; turn < 60; turn++)
    sum += count(table);
  std::printf("%zu\n", sum);
}
