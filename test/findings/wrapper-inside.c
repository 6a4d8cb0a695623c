// wrapper-inside.c - an xalloc that only another wrapper calls, at one line, is no place: who calls the wrapper is.
// Its twin is repaired.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clang_heapprof -O1 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK-NOT: {{xalloc \(|(from|by) save \(}}
// CHECK: Fact: 100 chunks of 9 B (char) from open_unread (wrapper-inside.c:[[#@LINE+30]]) are written and never read
// CHECK-NOT: {{xalloc \(|(from|by) save \(}}
// REPAIRED: no findings
#include <stdlib.h>
#include <string.h>

#define APART __attribute__((noinline))

static APART void *xalloc(size_t size) {
  char *memory = malloc(size);
  if (!memory)
    abort();
  return memory;
}

static APART char *save(const char *text) {
  const size_t size = strlen(text) + 1;
  return memcpy(xalloc(size), text, size);
}

static char *kept[4][100];

static APART void open_first(int i) { kept[0][i] = save("first"); }
static APART void open_second(int i) { kept[1][i] = save("second"); }
static APART void open_third(int i) { kept[2][i] = save("third"); }

static APART void open_unread(int i) {
#ifdef REPAIRED
  kept[3][i] = NULL;
#else
  kept[3][i] = save("a remark");
#endif
}

int main(void) {
  long sum = 0;
  for (int i = 0; i < 100; i++) {
    open_first(i);
    open_second(i);
    open_third(i);
    open_unread(i);
  }
  for (int i = 0; i < 100; i++)
    for (int k = 0; k < 4; k++) {
      for (size_t c = 0; k < 3 && kept[k][i][c]; c++)
        sum += kept[k][i][c];
      free(kept[k][i]);
    }
  return sum == 1;
}
