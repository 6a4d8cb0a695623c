// no-lines-apart.cpp - without debug information nobody knows that two calls are on one line: each is a finding of its own,
// none stands under another of its own rule, and calls that are told together are places, not lines.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O1 -fno-inline %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=PLACES %s
// RUN: %clangxx_heapprof -O1 -fno-inline -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK: sum_of makes its std::vector<long> anew
// CHECK-NOT: also:
// CHECK: [made_per_call]
// CHECK-NOT: also:
// CHECK: sum_of makes its std::vector<long> anew
// CHECK-NOT: also:
// CHECK: [made_per_call]
// PLACES: from fill are written and never read, and so at 1 other place of it:
// REPAIRED: points
// REPAIRED-NOT: [made_per_call]
#include <cstdlib>
#include <vector>

#ifdef REPAIRED
#define KEPT static
#else
#define KEPT
#endif

static long sum_of(unsigned count) {
  KEPT std::vector<long> up, down;
  up.resize(count, 1);
  down.resize(count, 2);
  const long sum = up.back() + down.front();
  up.clear();
  down.clear();
  return sum;
}

static void fill(char **one, char **other) {
  *one = static_cast<char *>(malloc(48));
  *other = static_cast<char *>(malloc(48));
  **one = **other = 1;
}

int main() {
  long sum = 0;
  for (unsigned i = 0; i < 1000; i++) {
    char *one, *other;
    sum += sum_of(50);
    fill(&one, &other);
    free(one);
    free(other);
  }
  return sum == 1;
}
