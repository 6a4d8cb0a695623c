// zero-members.c - records whose numbers are small and whose spare words stay zero; twins that have neither, and whose members are pointers.
// A record cannot be stored sparse: its members are named.  Nobody can save the zero bytes of an address; a member that is
// a pointer, null here and set there, is needed; of an array of such pointers few are set.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: %clang_heapprof -O2 -g %s -o %t && env HEAPPROF_OPTIONS=contents=1 %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %heapprof_score --json %dump/heapprof.* > %t.json
// RUN: %clang_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && env HEAPPROF_OPTIONS=contents=1 %run %t.repaired
// RUN: %heapprof_score --json %dump/heapprof.* > %t.repaired.json
// RUN: %python %S/Inputs/kept_promise.py mostly_zero %t.json %t.repaired.json
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=NONE %s
// RUN: %clang_heapprof -O2 -g -DPOINTERS %s -o %t.pointers && env HEAPPROF_OPTIONS=contents=1 %run %t.pointers
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=NONE %s
// RUN: %clang_heapprof -O2 -g -DARRAY %s -o %t.array && env HEAPPROF_OPTIONS=contents=1 %run %t.array
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=ARRAY %s
// CHECK: Likely:
// CHECK-SAME: chunks of ~144 B (node) from make (zero-members.c:{{[0-9]+}}) are mostly zero: ~{{[78][0-9]}} % of their bytes ({{[0-9]+}} were looked at); of node (zero-members.c:[[#]]) spare is always zero, and small numbers are all of kind (1 of 8 bytes), count (1 of 8), left (2 of 4); without that a record has 32 bytes instead of 144: ~
// CHECK-SAME: -> Declare integers as narrow as that where they stay so small: kind (1 of 8 bytes), count (1 of 8), left (2 of 4); keep spare beside the few records that need it.
// CHECK-SAME: [mostly_zero]
// NONE-NOT: [mostly_zero]
// ARRAY: are mostly zero: ~{{[89][0-9]}} % of their bytes ({{[0-9]+}} were looked at), most of them in child of node (zero-members.c:[[#]]): ~
// ARRAY-SAME: -> Store child sparse: what is set, and where.
#include <stdint.h>
#include <stdlib.h>

enum { NODES = 20000, SPARE = 12 };

#if defined REPAIRED
struct node {
  struct node *next;
  const char *name;
  int16_t left;
  uint8_t kind, count;
  double weight;
};
#elif defined POINTERS
struct node {
  struct node *next, *a, *b, *c, *d, *e, *f, *g, *h, *i, *j, *k, *l, *m;
};
#elif defined ARRAY
struct node {
  struct node *next, *child[26];
};
#else
struct node {
  struct node *next;
  uint64_t kind;
  const char *name;
  uint64_t count, spare[SPARE];
  int32_t left;
  double weight;
};
#endif

static struct node *nodes[NODES];

__attribute__((noinline)) static struct node *make(unsigned i) {
  struct node *n = calloc(1, sizeof *n);
  n->next = i ? nodes[i - 1] : n;
#if defined POINTERS
  (&n->a)[i % 13] = n->next;
  (&n->a)[i / 13 % 13] = n->next;
  n->m = i % 64 ? NULL : n;
#elif defined ARRAY
  n->child[i % 26] = n->next;
#else
  n->kind = i % 4;
  n->count = i % 100;
  n->left = (int)(i % 300);
  n->name = "node";
  n->weight = 1.0 / (i + 3);
#endif
  return n;
}

static uint64_t sum_of(const struct node *n) {
  uint64_t sum = 0;
#if defined REPAIRED
  sum += n->kind + n->count + (uint64_t)n->left + (n->weight > 0.5);
#else
  const uint64_t *words = (const uint64_t *)n;
  for (unsigned i = 0; i < sizeof *n / sizeof *words; i++)
    sum += words[i];
#endif
  return sum;
}

int main(void) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < NODES; i++)
    nodes[i] = make(i);
  for (int k = 0; k < 3; k++)
    for (unsigned i = 0; i < NODES; i++)
      sum += sum_of(nodes[i]);
  for (unsigned i = 0; i < NODES; i++)
    free(nodes[i]);
  return sum == 1;
}
