// holder-copies.cpp - elements of vectors are taken by auto, which copies: tuples, arrays, optionals and variants, with what they hold; and what an any holds is cast to a value. The twin takes them by const auto &.
// What is of several types is one copy.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -std=c++17 -O1 -g -DTAKEN=auto -DCAST=Text %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' > %t.out && FileCheck %s < %t.out && FileCheck --check-prefix=NONE %s < %t.out
// RUN: %clangxx_heapprof -std=c++17 -O1 -g '-DTAKEN=const auto &' '-DCAST=const Text &' %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=REPAIRED %s
// CHECK-DAG: Likely: tuples (holder-copies.cpp:[[#]]) copies std::tuple again and again, {{[^>]*}}: 2000 allocations {{[^>]*}}-> Take it by const reference: const auto &, where auto copies.
// CHECK-DAG: Likely: arrays (holder-copies.cpp:[[#]]) copies std::array again and again, {{[^>]*}}: 2000 allocations {{[^>]*}}-> Take it by const reference
// CHECK-DAG: Likely: optionals (holder-copies.cpp:[[#]]) copies std::optional again and again, {{[^>]*}}: 1000 allocations {{[^>]*}}-> Take it by const reference
// CHECK-DAG: Likely: variants (holder-copies.cpp:[[#]]) copies std::variant again and again, {{[^>]*}}: 1000 allocations {{[^>]*}}-> Take it by const reference
// CHECK-DAG: Likely: anys (holder-copies.cpp:[[#]]) copies its std::string again and again, {{[^>]*}}, it seems only to read it: 1000 allocations {{[^>]*}}-> Pass it as std::string_view or const reference,
// NONE-NOT: {{[a-z]+s \(holder-copies.cpp:[0-9]+\) (makes|allocates)}}
// REPAIRED: points
// REPAIRED-NOT: again and again
#include <any>
#include <array>
#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#define APART __attribute__((noinline))

using Text = std::string;

static Text text(int i) {
  Text made = "a text that is long enough to be a chunk";
  made[0] = static_cast<char>('a' + i % 16);
  return made;
}

template <class Held> using All = std::vector<Held>;

APART static long tuples(const All<std::tuple<int, Text, Text>> &all) {
  long sum = 0;
  for (TAKEN one : all)
    sum += std::get<0>(one) + std::get<1>(one)[0] + std::get<2>(one)[0];
  return sum;
}

APART static long arrays(const All<std::array<Text, 2>> &all) {
  long sum = 0;
  for (TAKEN one : all)
    sum += one[0][0] + one[1][0];
  return sum;
}

APART static long optionals(const All<std::optional<Text>> &all) {
  long sum = 0;
  for (TAKEN one : all)
    sum += one ? (*one)[0] : 0;
  return sum;
}

using Value = std::variant<int, Text, std::vector<int>>;

APART static long variants(const All<Value> &all) {
  long sum = 0;
  for (TAKEN one : all)
    if (const auto *text = std::get_if<Text>(&one))
      sum += (*text)[0];
    else if (const auto *numbers = std::get_if<std::vector<int>>(&one))
      sum += (*numbers)[1];
  return sum;
}

APART static long anys(const All<std::any> &all) {
  long sum = 0;
  for (const auto &one : all) {
    TAKEN text = std::any_cast<CAST>(one);
    sum += text[0];
  }
  return sum;
}

int main() {
  All<std::tuple<int, Text, Text>> some;
  All<std::array<Text, 2>> pairs;
  All<std::optional<Text>> maybe;
  All<Value> values;
  All<std::any> things;
  long sum = 0;
  for (int i = 0; i < 50; i++) {
    some.emplace_back(i, text(i), text(i + 1));
    pairs.push_back({text(i), text(i + 1)});
    maybe.push_back(text(i));
    things.emplace_back(text(i));
    values.push_back(i % 2 ? Value(text(i)) : Value(std::vector<int>{1, i}));
  }
  for (int i = 0; i < 20; i++)
    sum += tuples(some) + arrays(pairs) + optionals(maybe) + variants(values) +
           anys(things);
  return sum == 7;
}
