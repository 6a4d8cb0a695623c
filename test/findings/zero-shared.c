// zero-shared.c - nodes of a trie: many leaves are equal, and all of them are mostly zero, which is told, as it saves more.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -g -O1 %s -o %t && %env_heapprof_opts=contents=1 %run %t
// RUN: %heapprof_score --findings %dump | tr -s '\n ' ' ' | FileCheck %s
// CHECK: 1. Likely: ~3{{[0-9]+}} chunks of ~2.01 KiB (trie) from step
// CHECK-SAME: are mostly zero: ~99 % of their bytes ({{[0-9]+}} were looked at), most of them in child of trie
// CHECK-SAME: -> Store child sparse: what is set, and where.
// CHECK-SAME: [mostly_zero] point
// CHECK-NOT: [duplicates]
#include <stdlib.h>

struct trie {
  struct trie *child[256];
  int words;
};

__attribute__((noinline)) static struct trie *step(struct trie *node,
                                                   unsigned char letter) {
  if (!node->child[letter])
    node->child[letter] = calloc(1, sizeof *node);
  return node->child[letter];
}

static void drop(struct trie *node) {
  for (int i = 0; i < 256; i++)
    if (node->child[i])
      drop(node->child[i]);
  free(node);
}

int main(void) {
  struct trie *root = calloc(1, sizeof *root);
  unsigned random = 5;
  int common = 0;
  for (int i = 0; i < 1500; i++) {
    struct trie *node = root;
    for (int k = 0; k < 6; k++) {
      random = random * 1664525 + 1013904223;
      node = step(node, 'a' + (random >> 20) % 6);
    }
    common += node->words++;
  }
  drop(root);
  return common == 0;
}
