// many-small.cpp - two hundred functions that make a text each time: each finding is too small to be shown, and the last line says what they are together.
// (They are no instances of one template, which are one finding.)  The twin has ten of them, and other work.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -std=c++17 -O1 -g %s -o %t && %run %t
// RUN: env -u COLUMNS %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %heapprof_score --json %dump/heapprof.* | %python -c "import json, sys; assert json.load(sys.stdin)['findings_too_small_share'] > 0.9"
// RUN: %run %t few
// RUN: env -u COLUMNS %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=FEW %s
// CHECK: 200 smaller ones left out, up to {{9[0-9]|100}} % of all allocations together: --by function --sort chunks shows who makes many
// FEW: {{[0-9]+}} smaller ones left out{{$}}
#include <string>
#include <vector>

static long sum;

// clang-format off
#define TEN(of, n) of(n##0) of(n##1) of(n##2) of(n##3) of(n##4) of(n##5) of(n##6) of(n##7) of(n##8) of(n##9)
#define HUNDRED(of, n) TEN(of, n##0) TEN(of, n##1) TEN(of, n##2) TEN(of, n##3) TEN(of, n##4) \
  TEN(of, n##5) TEN(of, n##6) TEN(of, n##7) TEN(of, n##8) TEN(of, n##9)
#define DECLARE(n) \
  __attribute__((noinline)) static void use_##n(long i) { \
    const std::string text(static_cast<size_t>(40 + (i + 1##n) % 3), 'x'); \
    sum += text[3]; \
  }
#define USE(n) use_##n(i);
HUNDRED(DECLARE, 1)
HUNDRED(DECLARE, 2)
// clang-format on

int main(int count, char **) {
  std::vector<char *> kept(3000);
  for (long i = 0; i < 40; i++)
    if (count == 1) {
      HUNDRED(USE, 1)
      HUNDRED(USE, 2)
    } else if (i < 20) {
      TEN(USE, 10)
    }
  for (size_t i = 0; count > 1 && i < kept.size(); i++)
    sum += (kept[i] = new char[16]())[i % 16] + kept[i / 2][0];
  for (char *one : kept)
    delete[] one;
  return sum == 7;
}
