// never-freed.c - records that are never freed, and their twins that are, where nobody looked whether they are lost.
// Where somebody did, they can still be reached, which is no waste.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O2 -g %s -o %t && %env_heapprof_opts=leak_check=0 %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %run %t && %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// RUN: %clang_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %env_heapprof_opts=leak_check=0 %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK-NOT: Facts:
// CHECK: Likely:
// CHECK-SAME: 1000 chunks of 128 B (record) from handle (never-freed.c:{{[0-9]+}}) are still
// CHECK-SAME: 125 KiB of the peak (100 %)
// CHECK-SAME: -> Free each when
// CHECK-SAME: [never_freed]
// REPAIRED: no findings
#include <stdlib.h>

struct record {
  int key;
  int values[31];
};

__attribute__((noinline)) struct record *handle(int request) {
  struct record *record = malloc(sizeof *record);
  record->key = request;
  for (int i = 0; i < 31; i++)
    record->values[i] = request + i;
  return record;
}

int main(void) {
  static struct record *records[1000];
  int sum = 0;
  for (int i = 0; i < 1000; i++)
    records[i] = handle(i);
  for (int i = 0; i < 1000; i++)
    for (int k = 0; k < 31; k++)
      sum += records[i]->values[k] + records[i]->key;
#ifdef REPAIRED
  for (int i = 0; i < 1000; i++)
    free(records[i]);
#endif
  return sum == 1;
}
