// source-dir.c - a page has the sources of a tree that lies elsewhere than it was compiled, by the end of their names.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: rm -rf %t && mkdir -p %t/old/src %t/tree/src %t/flat %t/other && cp %s %t/old/src/moved.c
// RUN: %clang_heapprof -O1 -g %t/old/src/moved.c -o %t/app && %run %t/app && mv %t/old/src/moved.c %t/tree/src
// RUN: %heapprof_report --json %dump/heapprof.* > %t/none.json && FileCheck --check-prefix=NONE %s < %t/none.json
// RUN: %heapprof_report --json --source-dir %t/other %dump/heapprof.* > %t/none.json && FileCheck --check-prefix=NONE %s < %t/none.json
// RUN: %heapprof_report --json --source-dir %t/tree %dump/heapprof.* > %t/tree.json && FileCheck %s < %t/tree.json
// RUN: echo "int other;" > %t/tree/moved.c
// RUN: %heapprof_report --json --source-dir %t/tree %dump/heapprof.* > %t/tree.json && FileCheck %s < %t/tree.json
// RUN: mv %t/tree/src/moved.c %t/flat
// RUN: %heapprof_report --json --source-dir %t/flat/ %dump/heapprof.* > %t/flat.json && FileCheck %s < %t/flat.json
// RUN: not %heapprof_report --source-dir %t/none %dump/heapprof.* 2>&1 | FileCheck --check-prefix=DIRECTORY %s
// NONE-NOT: here it
// CHECK: old/src/moved.c
// CHECK: here it allocates
// DIRECTORY: heapprof-report: --source-dir '{{.*}}': must be a directory
#include <stdlib.h>

int main(void) {
  char *volatile p = malloc(700); // here it allocates
  p[0] = 1;
  free(p);
  return 0;
}
