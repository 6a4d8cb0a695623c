// pair-holds.cpp - a loop over a map of maps that takes each element by auto: nodes of the map in it, however deep they lie and however long they live, are of that copy.
// Its twin takes a reference. They are no map that is built anew each time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK: Likely: flush (pair-holds.cpp:[[#]]) copies std::pair again and again, {{[0-9.]+}} MiB in
// CHECK-SAME: -> Take it by const reference: const auto &, where auto copies.
// CHECK-SAME: [copied_to_read]
// CHECK-NOT: Likely: flush
// REPAIRED-NOT: flush (
#include <map>
#include <string>

#ifdef REPAIRED
#define ELEMENT const auto &
#else
#define ELEMENT auto
#endif

using Places = std::map<int, std::string>;
static std::map<std::string, Places> changes;

__attribute__((noinline)) static long set(int document, const std::string &term,
                                          const std::string &places) {
  return document + term.back() + places.front() + places.back();
}

__attribute__((noinline)) static long flush() {
  long sum = 0;
  for (ELEMENT change : changes) {
    const std::string &term = change.first;
    for (const auto &place : change.second)
      sum += set(place.first, term, place.second);
  }
  return sum;
}

/* Few terms are in many documents. */
int main() {
  for (int i = 0; i < 3000; i++)
    for (int k = 0; k < 1 + 3000 / (i + 1); k++)
      changes["term that is so and so long " + std::to_string(i)]
             [k * 7 % 3001] =
                 std::string(size_t(8 + k % 20), char('a' + k % 20));
  return flush() == 7;
}
