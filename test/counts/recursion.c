// Recursion: a function that calls itself at two places has five call stacks, each of these calls at most once in one.
// With collapse_recursion=0 each way down the tree is an allocation point of its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang_heapprof -g -O0 %s -o %t && %run %t && %check_counts
// RUN: %env_heapprof_opts=collapse_recursion=0 %run %t && %heapprof_score --json %dump > %t.json
// RUN: rm -rf %t.dir && mkdir %t.dir && sed 's/points=5/points=31/' %s > %t.dir/recursion.c
// RUN: %python %S/check_counts.py %t.dir/recursion.c %t.json
// OTHER chunks=0
#include <stdlib.h>

struct tree {
  struct tree *left, *right;
  int value;
};

static struct tree *grow(int depth) {
  if (depth == 0)
    return NULL;
  // 2^5-1 nodes; the points are the ways from main: none, left, right, left and right, right and left.
  // POINT chunks=31 bytes=31*24 reads=31*3+31*2 writes=31*3 accessed=31*20
  //       points=5
  struct tree *t = malloc(sizeof *t);
  t->value = depth;
  t->left = grow(depth - 1);
  t->right = grow(depth - 1);
  return t;
}

static int sum(const struct tree *t) {
  return t ? t->value + sum(t->left) + sum(t->right) : 0;
}

static void fell(struct tree *t) {
  if (!t)
    return;
  fell(t->left);
  fell(t->right);
  free(t);
}

int main(void) {
  struct tree *t = grow(5);
  int total = sum(t);
  fell(t);
  return total == 5 * 1 + 4 * 2 + 3 * 4 + 2 * 8 + 1 * 16 ? 0 : 1;
}
