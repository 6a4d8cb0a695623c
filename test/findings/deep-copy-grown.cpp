// deep-copy-grown.cpp - a vector that grows copies its elements, as their class has no move constructor, or one that may throw; the twin's cannot.
// What a push_back copies besides is no matter of that: the vector drops the copies that it makes as it grows, not those.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -O1 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=REPAIRED %s
// CHECK-DAG: Likely: shapes (deep-copy-grown.cpp:[[#]]) copies Shape, which allocates, and drops what it copied, each time its std::vector grows: 1023 allocations {{[^>]*}}-> Give it a move constructor that is noexcept, and a move assignment: a std::vector that grows copies what could throw. Call reserve before it is filled.
// CHECK-DAG: Likely: people (deep-copy-grown.cpp:[[#]]) copies Person, which allocates, and {{[^:]*}}: 1723 allocations {{[^>]*}}-> Give it a move constructor that is noexcept
// REPAIRED: points
// REPAIRED-NOT: [deep_copy]
#include <string>
#include <utility>
#include <vector>

#ifdef REPAIRED
#define CANNOT_THROW noexcept
#else
#define CANNOT_THROW
#endif

struct Shape {
  std::vector<double> points;
  explicit Shape(int i) : points(20, i) {}
  Shape(const Shape &other) : points(other.points) {}
  Shape(Shape &&other) CANNOT_THROW : points(std::move(other.points)) {}
};

__attribute__((noinline)) static double shapes(int count) {
  std::vector<Shape> all;
  double sum = 0;
  for (int i = 0; i < count; i++)
    all.emplace_back(i);
  for (const Shape &shape : all)
    sum += shape.points[3];
  return sum;
}

struct Person {
  std::string name;
  explicit Person(int i)
      : name("the name of the person " +
             std::string(1, static_cast<char>('a' + i % 8))) {}
#ifndef REPAIRED
  Person(const Person &other) : name(other.name) {} /* and so none that moves */
#endif
};

__attribute__((noinline)) static double people(int count) {
  std::vector<Person> all;
  double sum = 0;
  for (int i = 0; i < count; i++)
    all.push_back(Person(i));
  for (const Person &person : all)
    sum += person.name[20];
  return sum;
}

int main() { return shapes(700) + people(700) == 7; }
