// generation-loop.c - each turn of request() has a loop, which makes a node that stays to the end of the turn, and a text that is gone by the loop's next round.
// The rounds of the loop are no turns: the nodes are gone by the end of request() alone.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// CHECK: Likely: Each turn of request (generation-loop.c:[[#]]) makes anew what is gone by the next: chunks of 2 points,
// CHECK-SAME: at least 300 turns of it, at most {{[0-9]+}} B at a time; freed by request (generation-loop.c:[[#]]) and others: 4800 allocations
// CHECK-SAME: [generation]
#include <stdlib.h>
#include <string.h>

#define APART __attribute__((noinline))

struct node {
  struct node *next;
  char name[24];
};

APART static struct node *make_node(struct node *next, const char *name) {
  struct node *node = malloc(sizeof *node);
  node->next = next;
  strcpy(node->name, name);
  return node;
}

APART static char *make_name(int number) {
  char *name = malloc(16);
  strcpy(name, "a name");
  name[0] = (char)('a' + number % 16);
  return name;
}

APART static size_t request(int number) {
  struct node *nodes = NULL;
  size_t length = 0;
  for (int i = 0; i < 8; i++) {
    char *name = make_name(number + i);
    nodes = make_node(nodes, name);
    free(name);
  }
  while (nodes) {
    struct node *next = nodes->next;
    length += strlen(nodes->name);
    free(nodes);
    nodes = next;
  }
  return length;
}

int main(void) {
  size_t length = 0;
  for (int i = 0; i < 300; i++)
    length += request(i);
  return length == 7;
}
