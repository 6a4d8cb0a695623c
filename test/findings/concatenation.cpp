// concatenation.cpp - a list is made by s = s + item, which copies all of it for each; and a page is joined of long parts, each time anew.
// The twins append.  Short texts that are joined are no matter.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings --limit=0 %dump/heapprof.* | tr -s '\n ' ' ' > %t.out && FileCheck %s < %t.out && FileCheck --check-prefix=NONE %s < %t.out
// CHECK-DAG: Likely: list (concatenation.cpp:[[#@LINE+15]]) joins texts by +, which makes a new std::string of up to {{[0-9.]+}} KiB each time: {{[0-9]+}} allocations ({{[^)]*}}), {{[0-9.]+}} MiB copied{{[^>]*}}-> Append by += {{[^[]*}}[concatenation]
// CHECK-DAG: Likely: page (concatenation.cpp:[[#@LINE+26]]) joins texts by +
// NONE-NOT: {{free list|few steps|label \(concatenation.cpp:[0-9]+\) joins}}
// RUN: %clangxx_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings --limit=0 %dump/heapprof.* | FileCheck --check-prefix=REPAIRED %s
// REPAIRED-NOT: [concatenation]
#include <cstdio>
#include <string>

__attribute__((noinline)) static size_t list(int count) {
  std::string all;
  for (int i = 0; i < count; i++)
#ifdef REPAIRED
    all.append("item ").append(std::to_string(i)).append(",");
#else
    all = all + "item " + std::to_string(i) + ",";
#endif
  return all.size();
}

__attribute__((noinline)) static size_t page(const std::string &head,
                                             const std::string &body) {
#ifdef REPAIRED
  static std::string kept;
  kept.clear();
  return kept.append(head).append(body).size();
#else
  const std::string whole = head + body;
  return static_cast<size_t>(whole[100]) + whole[4000];
#endif
}

__attribute__((noinline)) static size_t label(int number) {
  const std::string whole = "the label of item " + std::to_string(number);
  return static_cast<size_t>(whole[3]);
}

int main() {
  const std::string head(2000, 'h'), body(3000, 'b');
  size_t sum = list(2000);
  for (int i = 0; i < 1000; i++)
    sum += page(head, body);
  for (int i = 0; i < 300; i++)
    sum += label(i);
  std::printf("%zu\n", sum);
}
