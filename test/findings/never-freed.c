// never-freed.c - records that pile up all through a run and are never freed, and their twins that are, where nobody looked whether they
// are lost. Those that are made at the start and used to the end are the program's data: nothing is promised for them (KEPT).
// Where somebody did look, they can still be reached, which is no waste.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O2 -g %s -o %t && %env_heapprof_opts=leak_check=0 %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %run %t && %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// RUN: %clang_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %env_heapprof_opts=leak_check=0 %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// RUN: %clang_heapprof -O2 -g -DKEPT %s -o %t.kept && %env_heapprof_opts=leak_check=0 %run %t.kept
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK-NOT: Fact:
// CHECK: Likely:
// CHECK-SAME: 1000 chunks of 128 B (record) from handle (never-freed.c:{{[0-9]+}}) are still
// CHECK-SAME: 141 KiB of malloc's memory at the peak (100 % of it), for 125 KiB requested
// CHECK-SAME: -> Free each when
// CHECK-SAME: [never_freed]
// REPAIRED: no findings
#include <stdlib.h>
#include <time.h>

enum { COUNT = 1000 };

struct record {
  int key;
  int values[31];
};

static struct record *records[COUNT];

__attribute__((noinline)) struct record *handle(int request) {
  struct record *record = malloc(sizeof *record);
  record->key = request;
  for (int i = 0; i < 31; i++)
    record->values[i] = request + i;
  return record;
}

__attribute__((noinline)) int sum_of(int count) {
  int sum = 0;
  for (int i = 0; i < count; i++)
    for (int k = 0; k < 31; k++)
      sum += records[i]->values[k] + records[i]->key;
  return sum;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(void) {
  double begun = now();
  int sum = 0;
#ifdef KEPT
  for (int i = 0; i < COUNT; i++)
    records[i] = handle(i);
  while (now() - begun < 1.3)
    sum += sum_of(COUNT);
#else
  /* A request every 1.3 ms, however slow the machine is. */
  for (int i = 0; i < COUNT; i++) {
    while (now() - begun < 0.0013 * i)
      ;
    records[i] = handle(i);
    sum += sum_of(i + 1);
  }
#endif
#ifdef REPAIRED
  for (int i = 0; i < COUNT; i++)
    free(records[i]);
#endif
  return sum == 1;
}
