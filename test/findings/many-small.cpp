// many-small.cpp - two hundred functions that make a text each time: each finding is too small to be shown, and the last line says what they are together.
// The twin has ten of them, and other work.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -std=c++17 -O1 -g %s -o %t && %run %t
// RUN: env -u COLUMNS %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %run %t few
// RUN: env -u COLUMNS %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=FEW %s
// CHECK: 200 smaller ones left out, up to {{9[0-9]|100}} % of all allocations together: --by function --sort chunks shows who makes many
// FEW: {{[0-9]+}} smaller ones left out{{$}}
#include <string>
#include <utility>
#include <vector>

static long sum;

template <long N> __attribute__((noinline)) static void use(long n) {
  const std::string text(static_cast<size_t>(40 + (n + N) % 3), 'x');
  sum += text[3];
}

template <long... N>
static void use_all(std::integer_sequence<long, N...>, long n) {
  (use<N>(n), ...);
}

int main(int count, char **) {
  std::vector<char *> kept(3000);
  for (long i = 0; i < 40; i++)
    if (count == 1)
      use_all(std::make_integer_sequence<long, 200>(), i);
    else if (i < 20)
      use_all(std::make_integer_sequence<long, 10>(), i);
  for (size_t i = 0; count > 1 && i < kept.size(); i++)
    sum += (kept[i] = new char[16]())[i % 16] + kept[i / 2][0];
  for (char *one : kept)
    delete[] one;
  return sum == 7;
}
