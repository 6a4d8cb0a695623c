// handed-over.c - a text that realloc made longer, and that another function copies into a buffer of one size, grew to its own size, not to that of the buffer, which did not grow.
// Its twin is repaired.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' > %t.out && FileCheck %s < %t.out && FileCheck --check-prefix=NONE %s < %t.out
// NONE-NOT: {{to 4.00 KiB|at 2 places|in pack|final size at once, here 4.00 KiB}}
// CHECK: 300 buffers in append (handed-over.c:[[#@LINE+20]]) grow 5 times each, from 8 B to 256 B, and are copied each time that realloc finds no room behind them: 1500 allocations
// CHECK: -> Allocate the final size at once, here 256 B
// RUN: %clang_heapprof -O1 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=REPAIRED %s
// REPAIRED-NOT: [growing]
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define APART __attribute__((noinline)) static

struct text {
  char *begin;
  size_t length, room;
};

APART void append(struct text *t, const char *part) {
  const size_t length = strlen(part);
  while (t->length + length + 1 > t->room) {
    t->room = t->room ? 2 * t->room : 8;
    t->begin = realloc(t->begin, t->room);
  }
  memcpy(t->begin + t->length, part, length + 1);
  t->length += length;
}

APART char *pack(struct text *t) {
  char *packet = malloc(4096);
  memcpy(packet, t->begin, t->length + 1);
  free(t->begin);
  return packet;
}

static char *packets[300];

int main(void) {
  unsigned long sum = 0;
  for (int i = 0; i < 300; i++) {
    struct text t = {0};
#ifdef REPAIRED
    t = (struct text){malloc(256), 0, 256};
#endif
    for (int k = 0; k < 12; k++) {
      char part[32];
      snprintf(part, sizeof part, "part %d of %d;", k, i);
      append(&t, part);
    }
    packets[i] = pack(&t);
  }
  for (int i = 0; i < 300; i++) {
    for (int k = 0; packets[i][k]; k++)
      sum += (unsigned char)packets[i][k];
    free(packets[i]);
  }
  return sum == 1;
}
