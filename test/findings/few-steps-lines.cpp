// few-steps-lines.cpp - an object puts its three parts into a vector by three lines, of which two leave what was there for more: one reserve does for all,
// so that it is one finding; and its twin.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -O1 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=REPAIRED %s
// CHECK: Likely: Entity::Entity (few-steps-lines.cpp:[[#]]) lets its std::vector<long> grow by few steps, and copies it at each, and so at 1 other line of it: 600 allocations
// CHECK-SAME: -> Call reserve before it is filled: up to 24 B take no more memory than one byte does.
// CHECK-SAME: [growing] points
// CHECK-NOT: [growing]
// REPAIRED: no findings
#include <vector>

struct Entity {
  std::vector<long> parts;
  __attribute__((noinline)) explicit Entity(long number) {
#ifdef REPAIRED
    parts.reserve(3);
#endif
    parts.push_back(number);
    parts.push_back(number * 2);
    parts.push_back(number * 3);
  }
};

int main() {
  std::vector<Entity> entities;
  entities.reserve(300);
  long sum = 0;
  for (long i = 0; i < 300; i++)
    entities.emplace_back(i);
  for (const Entity &entity : entities)
    for (long part : entity.parts)
      sum += part;
  return sum == 1;
}
