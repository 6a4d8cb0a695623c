// thinned-log.c - a report of a run whose chunk log was thinned, or was none: totals are exact, the rest says it is not.
// Each iteration leaves one chunk, so that memory grows while others come and go.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O1 -g %s -o %t
// RUN: for log in all budget:chunk_log_point=64 none; do %env_heapprof_opts=chunk_log=$log %run %t || exit 1; \
// RUN:   %heapprof_report --json %dump/heapprof.* > %t.report && %heapprof_score --json %dump/heapprof.* > %t.score && \
// RUN:   %python %S/../score/check_schema.py %heapprof_source_dir/docs/heapprof.report.schema.json %t.report > /dev/null && \
// RUN:   %python %S/same_numbers.py %t.score %t.report || exit 1; \
// RUN:   tr -d '\n' < %t.report | grep -o '"length_ns":[0-9]*,"estimated":[a-z]*\|"logged":[0-9]*'; done > %t.out
// RUN: FileCheck %s < %t.out
// CHECK:      same: 2 of 2 points
// CHECK-NEXT: "length_ns":{{[0-9]+}},"estimated":false
// CHECK-NEXT: "logged":2000
// CHECK-NEXT: "logged":2000
// CHECK-NEXT: same: 2 of 2 points
// CHECK-NEXT: "length_ns":{{[0-9]+}},"estimated":true
// CHECK-NEXT: "logged":{{[0-9]?[0-9]?[0-9]$}}
// CHECK:      same: 2 of 2 points
// CHECK-NEXT: "length_ns":{{[0-9]+}},"estimated":true
// CHECK-NEXT: "logged":0
#include <stdlib.h>

static char *kept[2000];
static int *volatile passing; /* or the compiler leaves it out */

int main(void) {
  int sum = 0;
  for (int i = 0; i < 2000; i++) {
    passing = malloc(400);
    kept[i] = malloc(100);
    passing[0] = i;
    kept[i][0] = (char)i;
    sum += passing[0] + kept[i][0];
    free(passing);
  }
  for (int i = 0; i < 2000; i++)
    free(kept[i]);
  return sum == 1;
}
