// cold-tail.c - orders with the text of a complaint that one in twenty has; twins that keep it apart, and of which each has one.
// What most chunks never touch: seen in runs that count members.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -fsanitize-heapprof-members -O1 -g %s -o %t && %clang_heapprof -fsanitize-heapprof-members -O1 -g -DREPAIRED %s -o %t.repaired && %clang_heapprof -fsanitize-heapprof-members -O1 -g -DALL %s -o %t.all
// RUN: env HEAPPROF_OPTIONS=members=1 %run %t && %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %heapprof_score --json %dump/heapprof.* > %t.json
// RUN: env HEAPPROF_OPTIONS=members=1 %run %t.repaired && %heapprof_score --json %dump/heapprof.* > %t.repaired.json
// RUN: %python %S/Inputs/kept_promise.py cold_tail %t.json %t.repaired.json
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=NONE %s
// RUN: env HEAPPROF_OPTIONS=members=1 %run %t.all && %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=NONE %s
// Where no members are counted, nobody can be told which they are.
// RUN: %run %t && %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=UNCOUNTED %s
// UNCOUNTED: chunks of 224 B (order) from {{.*}} are too large: {{.*}} -> Make its arrays smaller, or what few need a chunk of its own: {{[0-9]+}} B per chunk were enough on average.
// UNCOUNTED-SAME: [low_coverage]
// CHECK: Likely: complaint of order (cold-tail.c:{{[0-9]+}}), 200 of its 224 bytes, stays untouched in ~9{{[0-9]}} % of the chunks ({{[0-9]+}} were counted): 3.{{[0-9]+}} MiB of malloc's memory at the peak
// CHECK-SAME: -> Split it off: a pointer to a record of its own
// CHECK-SAME: [cold_tail]
// NONE-NOT: {{\[(unused_member|cold_tail)\]}}
#include <stdlib.h>
#include <string.h>

enum { ORDERS = 20000, LENGTH = 200 };
struct order {
  struct order *next;
  int number, amount;
  int complains, paid;
#ifdef REPAIRED
  char *complaint;
#else
  char complaint[LENGTH];
#endif
};

static struct order *first;

__attribute__((noinline)) static void complain(struct order *order) {
#ifdef REPAIRED
  order->complaint = malloc(LENGTH);
#endif
  memset(order->complaint, 'a' + order->number % 26, LENGTH);
}

__attribute__((noinline)) static void make(int number) {
  struct order *order = malloc(sizeof *order);
  order->next = first;
  order->number = number;
  order->amount = number % 7;
  order->paid = number & 1;
#ifdef ALL
  order->complains = 1;
#else
  order->complains = number % 20 == 0;
#endif
#ifdef REPAIRED
  order->complaint = NULL;
#endif
  if (order->complains)
    complain(order);
  first = order;
}

__attribute__((noinline)) static long sum_up(void) {
  long sum = 0;
  for (struct order *order = first; order; order = order->next) {
    sum += order->number * order->amount + order->paid;
    if (order->complains)
      sum += order->complaint[order->number % 50];
  }
  return sum;
}

int main(void) {
  long sum = 0;
  for (int i = 0; i < ORDERS; i++)
    make(i);
  for (int i = 0; i < 5; i++)
    sum += sum_up();
  return sum == 1;
}
