/* end-lost.c - a dump whose end was not written, as on a full disk, of a process that ended by exit: the sums before it say so.
   It was "killed, it seems with status 3".
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %clang_heapprof -O1 -g %s -o app && (./app; test $? = 3) && rm heapprof.app.*/end
// RUN: cd %t.d && %heapprof_score heapprof.app.* | FileCheck %s
// CHECK: ended: exit with status 3, it seems, peak
// CHECK: the dump is incomplete
#include <stdlib.h>

int main(void) {
  free(malloc(10));
  return 3;
}
