/* pages-sampled.c - of small chunks of a program without hooks some get pages of their own: where those were never touched
   the others are likely to be so.  The twins use them.  How many were looked at is told, and nothing is scaled to others.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// REQUIRES: gcc
// DEFINE: %{findings} = %heapprof_run --page-facts ./app 2> err && %heapprof_score --findings heapprof.* > text && tr -s '\n ' ' ' < text | FileCheck %s
// RUN: for cc in gcc %clang; do rm -rf %t && mkdir %t && cd %t && \
// RUN:   $cc -O2 -g %s -o app && %{findings} && %heapprof_score --json heapprof.* > score && FileCheck --check-prefix=JSON %s < score && rm -rf heapprof.* && \
// RUN:   $cc -O2 -g -DREPAIRED %s -o app && %{findings} --check-prefix=REPAIRED || exit 1; done
// What is said of them is a part of what is said of the point, and of chunks that begin at a page with room for the record nowhere else.
// RUN: %python %S/Inputs/sampled_pages.py < %t/score | FileCheck --check-prefix=COUNTS %s
// RUN: cd %t && COLUMNS=200 %heapprof_score --stacks --limit 0 heapprof.* | FileCheck --check-prefix=TABLE %s
// RUN: cd %t && %heapprof_score --limit 0 --json heapprof.* > score && %heapprof_report --json heapprof.* > report && %python %S/../report/same_numbers.py score report
// Merged, they add up.
// RUN: cd %t && %heapprof_run ./app 2> err && %heapprof_merge -o both heapprof.* && %heapprof_score --limit 0 --json both > score && %python %S/Inputs/sampled_pages.py < score | FileCheck --check-prefix=BOTH %s
// BOTH: make_history: some of 6000, none unused
// With hooks each access is seen, and no chunk is chosen.
// RUN: rm -rf %t && mkdir %t && cd %t && %clang_heapprof -O2 -g %s -o app && ./app && %heapprof_score --json heapprof.* | FileCheck --check-prefix=HOOKED %s
// Nor where memory is limited.
// RUN: cd %t && rm -rf heapprof.* && %clang -O2 -g %s -o app && (ulimit -v 8000000 && %heapprof_run ./app 2> err) && %heapprof_score --json heapprof.* | FileCheck --check-prefix=HOOKED %s
// CHECK: Likely:
// CHECK-SAME: ~{{[0-9]+}} chunks of ~600 B from make_history (pages-sampled.c:{{[0-9]+}}) are as far as was seen never read nor written (by pages of {{[0-9]+}} of 3000 chunks: none was touched): {{.*}} -> Remove the allocation
// CHECK-NOT: from make_{{table|buffer}}
// JSON-DAG: "rule": "unused", {{.*}}"certain": false, "estimated": true, {{.*}}"by_pages": true
// What is not touched of the larger ones takes no memory: a page of each does, and less would gain nothing.
// JSON-DAG: "bytes_at_global_peak": 40960, "peak_touched_bytes": 4096,
// REPAIRED-NOT: by pages
// COUNTS:      make_history: some of 3000, as many unused, touched 0
// COUNTS-NEXT: make_buffer: some of 1000, none unused, as many sparse, 4096 touched of each
// COUNTS-NEXT: make_table: some of 3000, none unused, none sparse, all touched
// TABLE: pages of {{[0-9]+}}, chosen from 3000 smaller chunks: touched {{.*}} of {{.*}}, 0 never
// HOOKED: "points": [
// HOOKED-NOT: "sampled_pages": {
#include <stdlib.h>
#include <string.h>

__attribute__((noinline)) char *make_history(void) {
  char *volatile p = malloc(600);
  return p;
}

__attribute__((noinline)) char *make_buffer(void) {
  char *volatile p = malloc(40960);
  return p;
}

__attribute__((noinline)) char *make_table(void) {
  char *volatile p = calloc(1, 600);
  return p;
}

void *(*volatile set)(void *, int, size_t) = memset;

int main(void) {
  for (int i = 0; i < 3000; i++) {
    char *history = make_history(), *table = make_table();
    char *buffer = i % 3 ? NULL : make_buffer();
    set(table, 1, 600);
    if (buffer)
      set(buffer, 1, 100);
#ifdef REPAIRED
    set(history, 1, 600);
    if (buffer)
      set(buffer, 1, 40960);
#endif
    free(buffer);
    free(table);
    free(history);
  }
  return 0;
}
