// generation-nested.c - statements that are parsed, planned and run, each step with turns of its own: one arena for each
// statement would do, so that they are one finding, and its twin that has it.  With MANY defined a statement has 40 steps.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clang_heapprof -O1 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// RUN: %clang_heapprof -O1 -g -DMANY %s -o %t.many && %run %t.many
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=SEVERAL %s
// CHECK: Likely: Each turn of statement (generation-nested.c:{{[0-9]+}}) makes anew what is gone by the next: chunks of 6 points
// CHECK-SAME: at least 300 turns of it
// CHECK-SAME: 4200 allocations ({{9[0-9]|100}} % of all)
// CHECK-SAME: [generation]
// CHECK-NOT: [generation]
// REPAIRED: no findings
// SEVERAL-DAG: Each turn of parse (generation-nested.c:{{[0-9]+}}) makes anew
// SEVERAL-DAG: Each turn of plan (generation-nested.c:{{[0-9]+}}) makes anew
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))
#ifdef MANY
#define STEPS 40
#else
#define STEPS 1
#endif

struct node {
  struct node *next;
  long value;
};

#ifdef REPAIRED
static struct node arena[64];
static int used;
static void *get(size_t size) {
  (void)size;
  return &arena[used++];
}
#define RELEASE(p) (void)(p)
#define RESET used = 0
#else
#define get(size) malloc(size)
#define RELEASE(p) free(p)
#define RESET (void)0
#endif

NOINLINE struct node *token(struct node *next, long value) {
  struct node *n = get(sizeof *n);
  *n = (struct node){next, value};
  return n;
}

NOINLINE struct node *name(struct node *next, long value) {
  struct node *n = get(sizeof *n + 8);
  *n = (struct node){next, value + 1};
  return n;
}

NOINLINE long drop(struct node *n) {
  long sum = 0;
  while (n) {
    struct node *next = n->next;
    sum += n->value;
    RELEASE(n);
    n = next;
  }
  return sum;
}

NOINLINE long parse(long value) {
  struct node *list = NULL;
  for (int i = 0; i < 3; i++) {
    list = token(list, value);
    list = name(list, value);
  }
  return drop(list) + 1;
}

NOINLINE long plan(long value) {
  struct node *list = NULL;
  for (int i = 0; i < 3; i++) {
    list = token(list, value);
    list = name(list, value);
  }
  return drop(list) + 2;
}

NOINLINE long statement(long value) {
  struct node *row = name(token(NULL, value), value);
  long sum = 0;
  for (int i = 0; i < STEPS; i++)
    sum += parse(value + i) + plan(sum);
  sum += drop(row);
  RESET;
  return sum;
}

int main(void) {
  long sum = 0;
  for (int i = 0; i < 300; i++)
    sum += statement(i);
  printf("%ld\n", sum);
}
