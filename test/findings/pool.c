// pool.c - nodes allocated and freed one after the other, and their twin from a free list.
// As SQLite's parse trees before the lookaside allocator.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clang_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK: Likely:
// CHECK-SAME: make_node (pool.c:{{[0-9]+}}) allocates node of 64 B one after the other
// CHECK-SAME: 20000 allocations
// CHECK-SAME: -> Keep freed ones in a free list
// CHECK-SAME: [short_lived] points #1 #2
// REPAIRED: no findings
#include <stdlib.h>

struct node {
  long value;
  struct node *next;
  long more[6];
};

#ifdef REPAIRED
static struct node *spare;
#endif

__attribute__((noinline)) struct node *make_node(long value) {
  struct node *node;
#ifdef REPAIRED
  if ((node = spare))
    spare = node->next;
  else
#endif
    node = malloc(sizeof *node);
  node->value = value;
  for (int i = 0; i < 6; i++)
    node->more[i] = value;
  node->next = 0;
  return node;
}

__attribute__((noinline)) void drop_node(struct node *node) {
#ifdef REPAIRED
  node->next = spare;
  spare = node;
#else
  free(node);
#endif
}

__attribute__((noinline)) long parse(long statement) {
  struct node *first = make_node(statement), *second = make_node(1);
  long sum = first->value + second->value;
  for (int i = 0; i < 6; i++)
    sum += first->more[i] + second->more[i];
  drop_node(second);
  drop_node(first);
  return sum;
}

int main(void) {
  long sum = 0;
  for (long i = 0; i < 10000; i++)
    sum += parse(i);
#ifdef REPAIRED
  while (spare) {
    struct node *next = spare->next;
    free(spare);
    spare = next;
  }
#endif
  return sum == 0;
}
