/* recursion.c - trees built and summed: width 8, each access has 8 bytes.
   Totals: 127 nodes of 24 bytes and 1 block of 8, each a stack of its own.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdlib.h>

struct tree {
  struct tree *left, *right;
  long value;
};

static struct tree *grow(int depth) {
  struct tree *t = malloc(sizeof *t);
  t->value = depth; /* 3 writes a node */
  t->left = depth ? grow(depth - 1) : NULL;
  t->right = depth ? grow(depth - 1) : NULL;
  return t;
}

static long sum(const struct tree *t) {
  if (!t)
    return 0;
  return t->value + sum(t->left) + sum(t->right); /* 3 reads a node */
}

static void fell(struct tree *t) {
  if (!t)
    return;
  fell(t->left); /* 2 reads more */
  fell(t->right);
  free(t);
}

/* A stack of 150 frames, with a block at the end. */
static long *deep(int depth) {
  return depth ? deep(depth - 1) : malloc(sizeof(long));
}

int main(void) {
  struct tree *t = grow(6);
  long total = sum(t); /* sum over d of d * 2^(6-d) = 120 */
  fell(t);
  long *at_the_end = deep(150);
  *at_the_end = total;
  total = *at_the_end;
  free(at_the_end);
  return total == 120 ? 0 : 1;
}
