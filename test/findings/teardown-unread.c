// teardown-unread.c - records that are kept and never read but by who frees them, and their twin without them.
// Written only. With USED what is done at the end is the use: another function reads each record before it is freed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clang_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=NONE %s
// RUN: %clang_heapprof -O2 -g -DUSED %s -o %t.used && %run %t.used
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=NONE %s
// CHECK: ~5000 chunks of ~48 B (record) from add (teardown-unread.c:{{[0-9]+}}) are written and never read, but for free_records
// CHECK-SAME: (teardown-unread.c:{{[0-9]+}}), which takes them down ({{[0-9]+}} of {{[0-9]+}} chunks watched)
// CHECK-SAME: [write_only]
// NONE-NOT: [write_only]
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct record {
  struct record *next;
  int kind;
  char text[32];
};
static struct record *records;

__attribute__((noinline)) void add(int i) {
  struct record *r = malloc(sizeof *r);
  r->next = records;
  r->kind = i % 2;
  memset(r->text, i, sizeof r->text);
  records = r;
}

__attribute__((noinline)) long use(const struct record *r) {
  return r->kind + r->text[3];
}

__attribute__((noinline)) long free_records(void) {
  long odd = 0;
  while (records) {
    struct record *next = records->next;
#ifdef USED
    odd += use(records);
#endif
    if (records->kind)
      odd++;
    free(records);
    records = next;
  }
  return odd;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(void) {
  const double start = now();
#ifndef REPAIRED
  for (int i = 0; i < 5000; i++)
    add(i);
#endif
  const double end =
      now() + 12 * (now() - start) + 0.5; /* also if it is busy */
  while (now() < end)
    ;
  printf("%ld\n", free_records());
  return 0;
}
