/* lto-walk.c - a search through a tree, optimised once more when the program is linked: what a hook found before is
   asked whether it is a record ahead of any read of it, whatever passes come behind ours.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// REQUIRES: lld
// RUN: %clang_heapprof -O2 -g -flto -fuse-ld=lld %s -o %t && %run %t
// RUN: %heapprof_score --json %dump/heapprof.* | FileCheck %s
// RUN: %clang_heapprof -O2 -g -flto=thin -fuse-ld=lld %s -o %t && %run %t
// RUN: %heapprof_score --json %dump/heapprof.* | FileCheck %s
// CHECK: "chunks": 100,
#include <stdio.h>
#include <stdlib.h>

struct node {
  int colour;
  struct node *parent, *left, *right;
  int key;
};

/* As std::map's: one access a step is to a chunk of which nothing is known. */
__attribute__((noinline)) static struct node *
lower_bound(struct node *at, struct node *found, const int *key) {
  while (at)
    if (!(at->key < *key)) {
      found = at;
      at = at->left;
    } else {
      at = at->right;
    }
  return found;
}

static struct node *root;

int main(void) {
  static int wanted = 50;
  for (int i = 0; i < 100; i++) {
    struct node *new = calloc(1, sizeof *new), **where = &root;
    new->key = i * 37 % 101;
    while (*where)
      where = new->key < (*where)->key ? &(*where)->left : &(*where)->right;
    *where = new;
    lower_bound(root, NULL, &new->key);
  }
  return !(lower_bound(root, NULL, &wanted)->key == 50);
}
