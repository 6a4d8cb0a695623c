// members.c - the view Types of a report opens a record: its bytes by cache line, shaded and hatched, and a row for each member.
// Opened in a headless browser; document.test has the page's numbers without.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: chromedriver, llvm-22
// RUN: %clang_heapprof -fsanitize-heapprof-members -O1 -g %s -o %t && env HEAPPROF_OPTIONS=members=1 %run %t
// RUN: %heapprof_report %dump/heapprof.* -o %t.html && %heapprof_score --by member --json %dump/heapprof.* > %t.json
// RUN: %python %S/Inputs/use_members.py %t.html %t.json
#include <stdlib.h>
#include <string.h>

struct node {
  struct node *next;
  char kind;
  int key;
  union {
    int number;
    double real;
  };
  char name[60];
  long last;
};

static struct node *first;

__attribute__((noinline)) void make(int key) {
  struct node *node = malloc(sizeof *node);
  node->next = first;
  node->kind = 'a';
  node->key = key;
  node->real = key;
  node->last = key;
  first = node;
}

#line 1 "walk.h"
__attribute__((noinline)) long walk(int key) {
  long sum = 0;
  for (struct node *node = first; node; node = node->next)
    sum += node->key == key ? node->last : node->key;
  return sum;
}

#line 43 "members.c"
int main(void) {
  long sum = 0;
  for (int i = 0; i < 500; i++)
    make(i);
  for (int i = 0; i < 50; i++)
    sum += walk(i);
  return sum == 1;
}
