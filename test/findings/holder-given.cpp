// holder-given.cpp - texts and vectors are given to functions that take a std::optional, a variant, a tuple or a pair of one: each call copies them.
// The twin has functions that take what refers to them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the plain compiler links none with libc++, that is left out.
// RUN: for library in libstdc++ libc++; do \
// RUN:   set -- -std=c++17 -O1 -g -stdlib=$library %s && \
// RUN:   if [ $library = libc++ ] && ! %clangxx "$@" -o %t.plain; then continue; fi && \
// RUN:   %clangxx_heapprof "$@" -o %t && %run %t && \
// RUN:   %heapprof_score --findings --limit=0 %dump/heapprof.* | tr -s '\n ' ' ' > %t.text && FileCheck %s < %t.text && \
// RUN:   FileCheck --check-prefix=NONE %s < %t.text && \
// RUN:   %clangxx_heapprof "$@" -DREPAIRED -o %t && %run %t && \
// RUN:   %heapprof_score --findings --limit=0 %dump/heapprof.* | FileCheck --check-prefix=REPAIRED %s || exit 1; done
// CHECK-DAG: Likely: optionals (holder-given.cpp:[[#]]) copies its std::string again and again, {{[^>]*}}: 1000 allocations {{[^>]*}}-> Pass it as std::string_view or const reference
// CHECK-DAG: Likely: variants (holder-given.cpp:[[#]]) copies its std::string again and again, {{[^>]*}}: 1000 allocations
// CHECK-DAG: Likely: tuples (holder-given.cpp:[[#]]) copies its std::string again and again, {{[^>]*}}: 1000 allocations
// CHECK-DAG: Likely: pairs (holder-given.cpp:[[#]]) copies its std::vector<long> again and again, {{[^>]*}}: 1000 allocations {{[^>]*}}-> Read the original through a const reference
// NONE-NOT: anew each time
// REPAIRED: points
// REPAIRED-NOT: again and again
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#define APART __attribute__((noinline))

using Numbers = std::vector<long>;
#ifdef REPAIRED
using Text = std::string_view;
using Array = const Numbers &;
#else
using Text = std::string;
using Array = Numbers;
#endif

static long sum(std::string_view text) {
  long sum = 0;
  for (char one : text)
    sum += one;
  return sum;
}

APART static long of_optional(std::optional<Text> text) { return sum(*text); }
APART static long of_variant(std::variant<int, Text> text) {
  return sum(std::get<1>(text));
}
APART static long of_tuple(std::tuple<Text, int> text) {
  return sum(std::get<0>(text));
}
APART static long of_pair(std::pair<int, Array> numbers) {
  long sum = 0;
  for (long one : numbers.second)
    sum += one;
  return sum;
}

APART static long optionals(const std::string &text) {
  return of_optional(text);
}
APART static long variants(const std::string &text) { return of_variant(text); }
APART static long tuples(const std::string &text, int i) {
  return of_tuple({text, i});
}
APART static long pairs(const Numbers &numbers, int i) {
  return of_pair({i, numbers});
}

int main() {
  std::string text(200, 'a');
  Numbers numbers(30, 1);
  long sum = 0;
  for (int i = 0; i < 1000; i++) {
    text[static_cast<size_t>(i) % text.size()] = 'b';
    sum += optionals(text) + variants(text) + tuples(text, i);
    sum += pairs(numbers, i);
  }
  return sum == 0;
}
