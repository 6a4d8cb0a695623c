// places-long.cpp - a function of a template that has long arguments: sentences leave these out, the stack below has them.
// Short ones stay, and operators are none.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings --limit=0 %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// CHECK-DAG: from Job<...>::run (places-long.cpp:[[#]]) are lost: {{[^[]*}} Job<std::map<std::string, std::vector<std::pair<std::string, double>>>>::run() {{[^[]*}}[lost]
// CHECK-DAG: from Job<std::vector<int>>::stop (places-long.cpp:[[#]]) are lost
// CHECK-DAG: from Job<int>::operator<< <...> (places-long.cpp:[[#]]) are lost
// Of a type with longer ones those of what these are of are left out.
// CHECK-DAG: (Pair<std::map<...>, std::map<...>>) from main (places-long.cpp:[[#]]) are lost
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

static void *volatile made;

template <typename Work> struct Job {
  Work work;
  __attribute__((noinline)) void run() { made = malloc(6000); }
  __attribute__((noinline)) void stop() { made = malloc(6000); }
  template <typename To> __attribute__((noinline)) void operator<<(To) {
    made = malloc(6000);
  }
};

using Table =
    std::map<std::string, std::vector<std::pair<std::string, std::string>>>;
template <typename First, typename Second> struct Pair {
  First first;
  Second second;
};

int main() {
  Job<std::map<std::string, std::vector<std::pair<std::string, double>>>>
      tables;
  Job<std::vector<int>> numbers;
  Job<int> number;
  for (int i = 0; i < 200; i++) {
    made = new Pair<Table, Table>;
    tables.run();
    numbers.stop();
    number << tables.work.begin();
  }
}
