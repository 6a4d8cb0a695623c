/* stats.c - stats=1 says what the runtime took, in three lines on stderr.
   The numbers of chunks are the program's, whatever the log kept.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O0 -g %s -o %t
// RUN: rm -rf %t.dump && mkdir %t.dump
// RUN: env HEAPPROF_OPTIONS="dump_dir='%t.dump':stats=1:chunk_log=budget:chunk_log_point=100:checkpoint_ms=0" \
// RUN:   %t 2>&1 | FileCheck %s
// CHECK: stats: events: 1003 chunks begun, 1000 ended; merged {{[1-9][0-9]*}} times, 0 too late, 0 waits
// CHECK-NEXT: stats: memory in KiB beside chunk records: threads {{[1-9][0-9]*}}, stacks and types {{[1-9][0-9]*}}, aggregates {{[1-9][0-9]*}}, log {{[1-9][0-9]*}}, load map {{[1-9][0-9]*}}
// Kept: 100 of 100, 25 of 50, of 100, of 200 and of 400, 5 of the last 150; and all of the other point.
// CHECK-NEXT: stats: dump: {{[1-9][0-9]*}} bytes; log: 207 chunks kept, 796 thinned, 0 dropped
#include <stdlib.h>

void *kept[3];

int main(void) {
  for (int i = 0; i < 1000; i++)
    free(malloc((size_t)i));
  for (int i = 0; i < 3; i++)
    kept[i] = malloc(8);
  return 0;
}
