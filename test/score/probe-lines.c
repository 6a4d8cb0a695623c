/* probe-lines.c - with -fpseudo-probe-for-profiling libdw reads no lines, as their discriminators are too large for it: a line
   says so each time, or there are lines.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O1 -g -fpseudo-probe-for-profiling %s -o %t && %run %t
// RUN: %heapprof_score %dump/heapprof.* | tr -s '\n ' ' ' | grep -E 'cannot read the lines|probe-lines.c:[0-9]'
// RUN: %heapprof_score %dump/heapprof.* | tr -s '\n ' ' ' | grep -E 'cannot read the lines|probe-lines.c:[0-9]'
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score %dump/heapprof.* > %t.out && grep -q 'probe-lines.c:[0-9]' %t.out && not grep 'cannot read' %t.out
#include <stdlib.h>

void *volatile kept;

int main(void) {
  kept = malloc(1000);
  return 0;
}
