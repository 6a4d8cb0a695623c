// lost-held.c - 20 lists are lost, of each its head, from which 50 nodes hang: these count, too, so that it comes ahead of what costs more.
// They are used to the end, so that nothing of the peak is promised.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// CHECK: 1. Fact: 20 chunks of 64 B (list) from make_list (lost-held.c:[[#]]) are lost: nothing outside points to them at the end, nor to 1000 more, 15.6 KiB in all, that only hang from them.
// CHECK: 2. Likely: main (lost-held.c:[[#]]) allocates long
#include <stdlib.h>

struct node {
  struct node *next;
  long number;
};

struct list {
  struct node *first;
  long count, more[6];
};

static struct list *lists[20];

__attribute__((noinline)) static struct list *make_list(void) {
  struct list *list = calloc(1, sizeof *list);
  for (int i = 0; i < 50; i++) {
    struct node *node = malloc(sizeof *node);
    *node = (struct node){.next = list->first, .number = i};
    list->first = node;
  }
  list->count = 50;
  return list;
}

__attribute__((noinline)) static long sum_of(struct list *list) {
  long sum = list->more[2]++ + list->more[5];
  for (const struct node *node = list->first; node; node = node->next)
    sum += node->number;
  return sum + list->count;
}

int main(void) {
  long sum = 0;
  for (int i = 0; i < 20; i++)
    lists[i] = make_list();
  for (int i = 0; i < 4000; i++) {
    long *volatile number = malloc(sizeof *number);
    *number = i;
    sum += *number;
    free(number);
  }
  for (int i = 0; i < 20; i++) {
    sum += sum_of(lists[i]);
    lists[i] = NULL;
  }
  return sum == 7;
}
