// lost-few.c - sixteen requests at a time are worked on, and one in fifty is dropped, not freed: these few of all are what the program grows by.
// They cost the peak all that they have there, though nearly all chunks of their point were used to the end and freed. The twin frees each.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %heapprof_score --json %dump/heapprof.* > %t.json
// RUN: %clang_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --json %dump/heapprof.* > %t.repaired.json && %python %S/Inputs/kept_promise.py lost %t.json %t.repaired.json
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=NONE %s
// CHECK: 1. Fact: 599 chunks of 200 B (char) from request (lost-few.c:[[#]]) are lost: nothing points to them at the end: 12{{[0-9]}} KiB of malloc's memory at the peak (9{{[0-9]}} % of it).
// CHECK-SAME: [lost]
// NONE-NOT: [lost]
#include <stdlib.h>
#include <string.h>

static char *request(int number) {
  char *text = malloc(200);
  memset(text, number, 200);
  return text;
}

static void finish(char **open, int number) {
#ifdef REPAIRED
  (void)number;
  free(*open);
#else
  if (number % 50)
    free(*open);
#endif
  *open = NULL;
}

int main(void) {
  static char *open[16];
  long sum = 0;
  for (int i = 0; i < 30000; i++) {
    char **slot = &open[i % 16];
    if (*slot)
      finish(slot, i);
    *slot = request(i);
    for (int k = 0; k < 16; k++)
      for (int n = 0; open[k] && n < 20; n++)
        sum += open[k][n * 9];
  }
  for (int k = 0; k < 16; k++)
    finish(&open[k], 1);
  return sum == 1;
}
