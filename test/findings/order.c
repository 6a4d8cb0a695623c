// order.c - what costs most comes first, whether it is a fact or likely; a bug comes before both.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clang_heapprof -O2 -g -DLOSE %s -o %t.lose && %run %t.lose
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=LOSE %s
// CHECK: 1. Likely: parse (order.c:[[#]]) allocates node of 16 B
// CHECK: 2. Fact: 200 chunks of 40 B (label) from name (order.c:[[#]]) are written and never read
// LOSE: 1. Fact: 200 chunks of 40 B (label) from name (order.c:[[#]]) are lost
// LOSE: 2. Likely: parse (order.c:[[#]]) allocates node of 16 B
#include <stdlib.h>

struct node {
  struct node *next;
  long value;
};

struct label {
  long text[5];
};

#define TABLE 50000

static struct label *volatile labels[200];

__attribute__((noinline)) static struct node *parse(long value) {
  struct node *made = malloc(sizeof *made);
  made->next = NULL;
  made->value = value;
  return made;
}

__attribute__((noinline)) static void name(int i) {
  struct label *made = malloc(sizeof *made);
  for (int k = 0; k < 5; k++)
    made->text[k] = i;
  labels[i] = made;
}

int main(void) {
  volatile long sum = 0;
  long *table = malloc(TABLE * sizeof *table);
  for (int i = 0; i < TABLE; i++)
    table[i] = i;
  for (int i = 0; i < 200; i++)
    name(i);
  for (long i = 0; i < 100000; i++) {
    struct node *made = parse(table[i % TABLE]);
    sum += made->value;
    free(made);
  }
  for (int i = 0; i < 200; i++) {
#ifndef LOSE
    free(labels[i]);
#endif
    labels[i] = NULL;
  }
  free(table);
  return 0;
}
