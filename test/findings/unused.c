// unused.c - tables that nothing touches, and their twin without them.
// Unused.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clang_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// That calloc zeroes them is no use of them.
// RUN: %clang_heapprof -O2 -g -DZEROED %s -o %t.zeroed && %run %t.zeroed
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// CHECK: Fact:
// CHECK-SAME: 100 chunks of 4.00 KiB (char) from make_history (unused.c:{{[0-9]+}}) are never read
// CHECK-SAME: 402 KiB of malloc's memory at the peak (100 % of it)
// CHECK-SAME: -> Remove the allocation
// CHECK-SAME: [unused]
// REPAIRED: no findings
#include <stdlib.h>

struct session {
  int id;
  char *history;
};

#ifdef ZEROED
#define ALLOCATE(size) calloc(1, size)
#else
#define ALLOCATE(size) malloc(size)
#endif

__attribute__((noinline)) char *make_history(void) { return ALLOCATE(4096); }

int main(void) {
  struct session *sessions = calloc(100, sizeof *sessions);
  int sum = 0;
  for (int i = 0; i < 100; i++) {
    sessions[i].id = i;
#ifndef REPAIRED
    sessions[i].history = make_history();
#endif
  }
  for (int i = 0; i < 100; i++) {
    sum += sessions[i].id;
    free(sessions[i].history);
  }
  free(sessions);
  return sum == 1;
}
