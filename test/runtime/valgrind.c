// valgrind.c - a program is profiled also where Valgrind runs it, by a tool that has no shadow memory.
// Stripped, since Valgrind reads debugging information first, and not that of newer compilers.
// REQUIRES: valgrind
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang_heapprof -O1 -Wl,-s %s -o %t && rm -rf %t.d
// RUN: env HEAPPROF_OPTIONS=dump_dir=%t.d valgrind -q --tool=none %t > %t.out; test $? = 3 && grep -x done %t.out
// RUN: %heapprof_score --json %t.d | FileCheck %s
// CHECK: "complete": true
// CHECK: "reads": 10, "writes": 10,
//
// Tools that take malloc's place are refused in one line, before the heap is reserved.
// RUN: for tool in memcheck helgrind drd massif dhat; do rm -rf %t.d; \
// RUN:   (ulimit -v 60000000; env HEAPPROF_OPTIONS=dump_dir=%t.d:exitcode=9 valgrind -q --tool=$tool %t) > %t.out 2>&1; \
// RUN:   test $? = 9 && FileCheck --check-prefix=REFUSED -DTOOL=$tool %s < %t.out && test ! -e %t.d || exit 1; done
// REFUSED: heapprof: ERROR: cannot work under Valgrind's [[TOOL]], which takes malloc's place; run it on a build without heapprof
// REFUSED-NOT: done
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  volatile char *p = malloc(10);
  for (int i = 0; i < 10; i++)
    p[i]++;
  free((void *)p);
  puts("done");
  return 3;
}
