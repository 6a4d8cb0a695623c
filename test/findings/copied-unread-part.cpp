// copied-unread-part.cpp - each object takes a copy of a map as a member, and looks at few of its keys: others, and the
// texts beside them, which nobody reads, are part of the one copy. Its twin has a reference.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -O1 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=REPAIRED %s
// CHECK: Likely: Scope::Scope (copied-unread-part.cpp:[[#]]) copies its std::map<std::string, Symbol> again and again
// CHECK-SAME: 13800 allocations
// CHECK-SAME: [copied_to_read]
// CHECK-NOT: Scope::Scope
// REPAIRED: no findings
#include <map>
#include <string>

struct Symbol {
  std::string name;
  int slot;
};
using Names = std::map<std::string, Symbol>;

class Scope {
#ifdef REPAIRED
  const Names *names;

public:
  explicit Scope(const Names &outer) : names(&outer) {}
#else
  Names own;
  const Names *names = &own;

public:
  explicit Scope(const Names &outer) { own = outer; }
#endif
  int find(const std::string &key) const {
    const auto found = names->find(key);
    return found == names->end() ? 0 : found->second.slot;
  }
};

__attribute__((noinline)) static int use(const Names &outer,
                                         const std::string &key) {
  const Scope scope(outer);
  return scope.find(key);
}

int main() {
  static Names names;
  for (int i = 0; i < 16; i++)
    names["a key that is long enough " + std::to_string(i)] = {
        "the name of a symbol, long enough", i};
  const std::string key = "a key that is long enough 3";
  int sum = 0;
  for (int i = 0; i < 300; i++)
    sum += use(names, key);
  return sum == 1;
}
