// recursive-copies.cpp - a function that calls itself takes a container by value: the copies of its calls live at once, and each is dropped by the line that made it. One that nobody changed was made to be read; of a map nobody knows.
// The twin takes const references.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O1 -g %s -o %t && rm -rf %dump && %run %t && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -O1 -g -DREPAIRED %s -o %t && rm -rf %dump && %run %t && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK-DAG: walk (recursive-copies.cpp:[[#@LINE+16]]) copies its std::vector<int> again and again, {{[^>]*}} only to read it: 5110 allocations {{[^>]*}} -> Read the original through a const reference
// CHECK-DAG: spell (recursive-copies.cpp:[[#@LINE+22]]) copies its std::string again and again, {{[^>]*}} only to read it: 5110 allocations {{[^>]*}} -> Pass it as std::string_view or const reference
// CHECK-DAG: look_up (recursive-copies.cpp:[[#@LINE+28]]) {{allocates|copies its}} std::map<int, int>{{[^>]*}} -> {{[^>]*}} const reference
// REPAIRED-NOT: {{walk|spell|look_up}} (recursive-copies
#include <map>
#include <string>
#include <vector>

#ifdef REPAIRED
#define GIVEN(...) const __VA_ARGS__ &
#else
#define GIVEN(...) __VA_ARGS__
#endif
static long walk(GIVEN(std::vector<int>) path, int depth) {
  long sum = path[depth];
  for (int i = 0; i < 2 && depth; i++)
    sum += walk(path, depth - 1);
  return sum;
}

static long spell(GIVEN(std::string) text, int depth) {
  long sum = text[depth];
  for (int i = 0; i < 2 && depth; i++)
    sum += spell(text, depth - 1);
  return sum;
}

static long look_up(GIVEN(std::map<int, int>) numbers, int depth) {
  long sum = numbers.find(depth)->second;
  for (int i = 0; i < 2 && depth; i++)
    sum += look_up(numbers, depth - 1);
  return sum;
}

int main() {
  const std::vector<int> numbers(40, 1);
  const std::string text(50, 'x');
  std::map<int, int> table;
  for (int i = 0; i < 10; i++)
    table[i] = i;
  long sum = 0;
  for (int i = 0; i < 5; i++)
    sum += walk(numbers, 9) + spell(text, 9) + look_up(table, 7);
  return sum ? 0 : 1;
}
