/* file-size-limit.c - a chunk log beyond `ulimit -f` is one line on stderr.
   The limit's signal, SIGXFSZ, is not the program's affair.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -g %s -o %t
// RUN: rm -rf %t.dump && mkdir %t.dump
// RUN: (ulimit -f 16; HEAPPROF_OPTIONS="dump_dir='%t.dump':dump_compression=0" \
// RUN:   %t; echo "status $?") > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// RUN: %heapprof_score --json %t.dump | FileCheck %s --check-prefix=SCORE
// CHECK: heapprof: cannot write the dump: {{.*}}/chunks/1: File too large; raise the limit of file sizes (ulimit -f), unless
// CHECK-NEXT: status 7
// The log is missing and it is said; the numbers are there all the same.
// SCORE: "allocations": 10000
// SCORE: : 0 of 10000 chunks logged, because the log stopped: File too large; the numbers are of all of them"
// SCORE: "chunks": 10000, "bytes": 2020000
#include <stdlib.h>

int main(void) {
  int sum = 0;
  for (int i = 1; i <= 10000; i++) {
    int *p = malloc((size_t)(i % 100 + 1) * sizeof *p);
    p[0] = i;
    sum += p[0];
    free(p);
  }
  return sum == 50005000 ? 7 : 1;
}
