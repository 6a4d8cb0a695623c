// teardown-sizes.c - small tables that are kept long, and a large one of the same line that is used to the end: those that are watched,
// which are small, do not speak for it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// CHECK: Likely: ~{{20[0-9][0-9]}} chunks (table) from make_table (teardown-sizes.c:[[#]]) are kept long after the last use, but for free_table
// CHECK-SAME: : ~{{[0-9.]+}} KiB of malloc's memory at the peak (~{{[1-9]|1[0-9]}} % of it)
// CHECK-SAME: [freed_late]
#include <stdlib.h>
#include <string.h>
#include <time.h>
#define SMALL 2000

struct table {
  long count;
  long slots[];
};

__attribute__((noinline)) static struct table *make_table(long n) {
  struct table *t = malloc(sizeof *t + n * sizeof(long));
  t->count = n;
  for (long i = 0; i < n; i++)
    t->slots[i] = i;
  return t;
}
__attribute__((noinline)) static long free_table(struct table *t) {
  long sum = 0;
  for (long i = 0; i < t->count; i++)
    sum += t->slots[i];
  free(t);
  return sum;
}
static long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}
int main(void) {
  static struct table *all[SMALL + 1];
  const long start = now();
  long sum = 0;
  for (int i = 0; i <= SMALL; i++)
    all[i] = make_table(i < SMALL ? 6 : 200000);
  for (int i = 0; i <= SMALL; i++)
    sum += all[i]->slots[3];
  /* Kept for long beside what the machine, if it is busy, took until here, and beside the longest wait for a processor: of
     a life that is no more than twice as long nothing is said.  This thread has always work, and waits no less than the clock's. */
  const long used = now(), end = used + 400 + 12 * (used - start);
  for (long last = used, wait = 0; last < end || last - used < 4 * wait;) {
    for (long i = 0; i < 200000; i++)
      sum += all[SMALL]->slots[i]++;
    const long next = now();
    if (next - last > wait)
      wait = next - last;
    last = next;
  }
  for (int i = 0; i <= SMALL; i++)
    sum += free_table(all[i]);
  return sum == 1;
}
