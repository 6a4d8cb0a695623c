// own-buffer.c - a function that many call allocates a buffer, uses it and frees it: the place is its own line, not
// those of its callers; and its twin, which has the buffer on the stack.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clang_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// RUN: %clang_heapprof -O2 -g -DHANDED_ON %s -o %t.handed && %run %t.handed
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=HANDED %s
// CHECK: 1. Likely: send_line (own-buffer.c:{{[0-9]+}})
// CHECK-SAME: 5000 allocations
// CHECK-NOT: 2. Likely
// REPAIRED: no findings
// A twin that hands the buffer on: what its callers do with it is theirs.
// HANDED-NOT: Likely: send_line
// HANDED-DAG: ask_one (own-buffer.c:{{[0-9]+}})
// HANDED-DAG: ask_five (own-buffer.c:{{[0-9]+}})
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int sum;

#ifdef HANDED_ON
__attribute__((noinline)) static char *send_line(const char *text, int size) {
  char *line = malloc((size_t)size);
  snprintf(line, (size_t)size, "%s: %d", text, sum);
  return line;
}
#define SEND(text, size)                                                       \
  do {                                                                         \
    char *line = send_line(text, size);                                        \
    sum += (int)strlen(line);                                                  \
    free(line);                                                                \
  } while (0)
#else
__attribute__((noinline)) static void send_line(const char *text, int size) {
#ifdef REPAIRED
  char line[3000];
#else
  char *line = malloc((size_t)size);
#endif
  snprintf(line, (size_t)size, "%s: %d", text, sum);
  sum += (int)strlen(line);
#ifndef REPAIRED
  free(line);
#endif
}
#define SEND(text, size) send_line(text, size)
#endif

#define ASK(name, size)                                                        \
  __attribute__((noinline)) static void name(void) {                           \
    SEND(#name, size);                                                         \
    sum++;                                                                     \
  }
ASK(ask_one, 3000)
ASK(ask_two, 2900)
ASK(ask_three, 2800)
ASK(ask_four, 2700)
ASK(ask_five, 2600)

int main(void) {
  for (int i = 0; i < 1000; i++) {
    ask_one();
    ask_two();
    ask_three();
    ask_four();
    ask_five();
  }
  return sum == 1;
}
