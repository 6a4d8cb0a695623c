// collector.c - an interpreter that makes a chunk for each number, which a collector frees; its twin has numbers
// without chunks. An arena is no remedy for garbage.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clang_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// A twin whose list is freed by who is called so for each of its turns, and no collector.
// RUN: %clang_heapprof -O2 -g -Drun_gc=drop_all %s -o %t.turns && %run %t.turns
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=TURNS %s
// CHECK: Likely: interpret (collector.c:[[#]]) makes garbage, which run_gc (collector.c:[[#]]) collects: chunks
// CHECK-SAME: of 2 points, such as in make_{{(number|sum)}} (collector.c:[[#]]), at least 80 times, at most 11.7 KiB at a time
// CHECK-SAME: 40000 allocations
// CHECK-SAME: -> Make fewer of them
// CHECK-SAME: [generation]
// One after the other at one place, of no turns of the interpreter: no buffer is a remedy either. The twin frees by itself.
// RUN: %clang_heapprof -O2 -g -DTEXTS %s -o %t.texts && %run %t.texts
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=TEXTS %s
// RUN: %clang_heapprof -O2 -g -DTEXTS -Drun_gc=drop_all %s -o %t.dropped && %run %t.dropped
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=DROPPED %s
// TEXTS: make_number (collector.c:[[#]]) allocates {{.*}} one after the other, {{each for|half of them for}} {{.*}} on average, until run_gc (collector.c:[[#]]) collects it as garbage
// TEXTS-SAME: 40000 allocations
// TEXTS-SAME: -> Make fewer of them
// TEXTS-SAME: [short_lived]
// DROPPED-NOT: garbage
// DROPPED: one after the other
// DROPPED-NOT: Make fewer
// REPAIRED: no findings
// TURNS: Each turn of interpret (collector.c:[[#]]) makes anew what is gone by the next
// TURNS-SAME: arena
#include <stdlib.h>

#define APART __attribute__((noinline))

struct number {
  struct number *next;
  long value;
  int is_used;
};

static struct number *all;
static int count;

static struct number *add(struct number *number, long value) {
  number->value = value;
  number->is_used = 0;
  number->next = all;
  all = number;
  count++;
  return number;
}

APART static struct number *make_number(long value) {
  return add(malloc(sizeof(struct number)), value);
}

APART static struct number *make_sum(long a, long b) {
  return add(malloc(sizeof(struct number)), a + b);
}

APART static void run_gc(void) {
  struct number **at = &all;
  while (*at) {
    struct number *number = *at;
    if (number->is_used) {
      at = &number->next;
      continue;
    }
    *at = number->next;
    free(number);
    count--;
  }
}

APART static long interpret(int steps) {
  long sum = 0;
  for (int i = 0; i < steps; i++) {
#ifdef REPAIRED
    sum += 2L * i;
#else
    sum += make_sum(make_number(i)->value, i)->value;
    if (count == 500)
      run_gc();
#endif
  }
  return sum;
}

#ifdef TEXTS
/* A collector that is called where it makes room, as many are. */
APART static struct number *read_number(long value) {
  struct number *number = make_number(value);
  run_gc();
  return number;
}
#endif

int main(void) {
#ifdef TEXTS
  for (int i = 0; i < 40000; i++)
    read_number(i);
  return 0;
#else
  return interpret(20000) == 1;
#endif
}
