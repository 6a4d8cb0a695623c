/* cost.c - what a pair of malloc and free takes of a run without hooks is assumed, 50 ns: most of what was timed is what heapprof does in a call.
   Where the program keeps its allocator it is that which was timed, and so it is where code has hooks.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %clang -O1 -g %s -o app
// RUN: cd %t.d && %heapprof_run -q -o run ./app && %heapprof_score --json run/* | %python %S/Inputs/pair_cost.py assumed
// RUN: cd %t.d && %heapprof_run -q -o beside --allocator=program ./app && %heapprof_score --json beside/* | %python %S/Inputs/pair_cost.py timed
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t && %heapprof_score --json %dump/heapprof.* | %python %S/Inputs/pair_cost.py timed
#include <stdlib.h>

int main(void) {
  for (int i = 0; i < 20000; i++) {
    char *volatile p = malloc(40);
    p[3] = 1;
    free(p);
  }
  return 0;
}
