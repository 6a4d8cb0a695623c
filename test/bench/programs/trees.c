/* trees.c - trees DEPTH ROUNDS: binary trees whose nodes each come of a call stack of their own.
   Left and right are built by different functions, so that there are as many stacks as nodes of a tree.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdio.h>
#include <stdlib.h>

struct node {
  struct node *left, *right;
};

static struct node *build_left(unsigned depth);
static struct node *build_right(unsigned depth);

static inline __attribute__((always_inline)) struct node *
build(unsigned depth) {
  struct node *node = malloc(sizeof *node);
  if (!node)
    exit(1);
  node->left = depth ? build_left(depth - 1) : NULL;
  node->right = depth ? build_right(depth - 1) : NULL;
  return node;
}

static __attribute__((noinline)) struct node *build_left(unsigned depth) {
  return build(depth);
}

static __attribute__((noinline)) struct node *build_right(unsigned depth) {
  return build(depth);
}

static unsigned count(const struct node *node) {
  return node ? 1 + count(node->left) + count(node->right) : 0;
}

static void discard(struct node *node) {
  if (!node)
    return;
  discard(node->left);
  discard(node->right);
  free(node);
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  unsigned depth = (unsigned)strtoul(argv[1], NULL, 10);
  unsigned rounds = (unsigned)strtoul(argv[2], NULL, 10);
  struct node *kept = build_left(depth);
  unsigned total = 0;
  for (unsigned round = 0; round < rounds; round++) {
    struct node *tree = build_right(depth);
    total += count(tree);
    discard(tree);
  }
  printf("%u %u\n", total, count(kept));
  discard(kept);
  return 0;
}
