// pool-resource.cpp - what a memory resource hands out is known through the one that stands between, with the containers' types.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %clangxx_heapprof -std=c++17 -O1 -g %s -o a && HEAPPROF_OPTIONS=leak_check=0 ./a
// RUN: cd %t.d && %heapprof_score --limit 0 --json heapprof.a.* | %python %S/Inputs/pools.py | FileCheck %s
// CHECK-DAG: lists by fill({{.*}}): 50 of 1200, type std::_List_node<int>, {{.*}}, accessed {{.*}}, live 0
// CHECK-DAG: lists by numbers({{.*}}): 1 of 800, type long, reads {{[1-9][0-9]*}}, writes {{[1-9][0-9]*}}, accessed 800, live 0
// CHECK-DAG: block by fill({{.*}}): {{[0-9]+}} of {{[0-9]+}} into 51 of 2000, most {{[0-9]+}}
// CHECK-NOT: note:
#include <sanitizer/heapprof_pool_resource.h>

#include <list>
#include <vector>

#define SITE __attribute__((noinline))

SITE static void fill(std::pmr::list<int> &list) {
  for (int i = 0; i < 50; i++)
    list.push_back(i);
}

SITE static long numbers(std::pmr::memory_resource &from) {
  std::pmr::vector<long> v(100, 1, &from);
  long sum = 0;
  for (volatile long &n : v)
    sum += n;
  return sum;
}

int main() {
  std::pmr::monotonic_buffer_resource arena(16384);
  heapprof::pool_resource objects(arena, "lists");
  long sum;
  {
    std::pmr::list<int> list(&objects);
    fill(list);
    sum = numbers(objects) + list.back();
  }
  objects.clear();
  arena.release();
  return sum == 149 ? 0 : 1;
}
