// calls-itself.c - a function that calls itself, as one of an interpreter, passes no memory on, from however many lines
// it is called: what its commands keep is told at its own line.  Its twin is repaired.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clang_heapprof -O1 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK: 1. Fact: 1300 chunks of 9 B (char) from execute (calls-itself.c:[[#@LINE+31]]) are written and never read
// CHECK-NOT: 2. Fact
// REPAIRED: no findings
#include <stdlib.h>
#include <string.h>

enum kind { LIST, EITHER, TWICE, COMMAND };

struct node {
  enum kind kind;
  const struct node *left, *right;
};

static char *kept[1300];
static size_t count;

__attribute__((noinline)) static void execute(const struct node *node) {
  switch (node->kind) {
  case LIST:
    execute(node->left);
    execute(node->right);
    break;
  case EITHER:
    execute(count & 1 ? node->left : node->right);
    break;
  case TWICE:
    execute(node->left);
    execute(node->left);
    break;
  case COMMAND:
#ifndef REPAIRED
    kept[count] = malloc(9);
    memcpy(kept[count], "a remark", 9);
#endif
    count++;
    break;
  }
}

int main(void) {
  static const struct node command = {COMMAND, NULL, NULL},
                           either = {EITHER, &command, &command},
                           list = {LIST, &either, &command},
                           twice = {TWICE, &list, NULL},
                           all[] = {{LIST, &twice, &either},
                                    {TWICE, &twice, NULL}};
  for (int i = 0; i < 100; i++) {
    execute(&all[0]);
    execute(&all[1]);
  }
  for (size_t i = 0; i < count; i++)
    free(kept[i]);
  return 0;
}
