// lost-parts.c - what two lines of a function make for one object is lost with it, or by it: one cause, one finding; and so what points to one another.
// A line of the same function that loses far fewer is another cause; the twin frees all.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: for o in -O0 -O2; do %clang_heapprof $o -g %s -o %t && %run %t && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s || exit 1; done
// RUN: %clang_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK-DAG: 600 chunks from make (lost-parts.c:[[#]]) are lost: nothing points to them at the end, and so at 1 other line of it:
// CHECK-DAG: 300 chunks of 24 B (pair) from couple (lost-parts.c:[[#]]) are lost: nothing outside points to them at the end, nor to 300 more, 7.03 KiB in all, that only hang from them, and so at 1 other line of it
// CHECK-DAG: 30 chunks of 96 B (char) from make (lost-parts.c:[[#]]) are lost: nothing points to them at the end:
// REPAIRED-NOT: [lost]
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline)) static

struct record {
  char *name;
  long *values;
  char *note;
};

NOINLINE struct record *make(int number) {
  struct record *record = malloc(sizeof *record);
  record->name = malloc(20);
  memset(record->name, number, 20);
  record->values = malloc(12 * sizeof *record->values);
  memset(record->values, number, 12 * sizeof *record->values);
  record->note = NULL;
  if (number % 10 == 0) {
    record->note = malloc(96);
    memset(record->note, number, 96);
  }
  return record;
}

NOINLINE void drop(struct record *record) {
#ifdef REPAIRED
  free(record->name);
  free(record->values);
  free(record->note);
#endif
  free(record);
}

struct pair {
  struct pair *other;
  long values[2];
};

/* Whichever lies first. */
NOINLINE long couple(int number) {
  struct pair *one, *other;
  if (number & 1) {
    one = malloc(sizeof *one);
    other = malloc(sizeof *other);
  } else {
    other = malloc(sizeof *other);
    one = malloc(sizeof *one);
  }
  one->other = other;
  other->other = one;
  one->values[0] = other->values[0] = number;
  const long sum = one->other->values[0] + other->other->values[0];
#ifdef REPAIRED
  free(one);
  free(other);
#endif
  return sum;
}

int main(void) {
  long sum = 0;
  for (int i = 0; i < 300; i++) {
    struct record *record = make(i);
    sum += record->name[3] + record->values[4] +
           (record->note ? record->note[1] : 0);
    drop(record);
  }
  for (int i = 0; i < 300; i++)
    sum += couple(i);
  return sum == 1;
}
