// generation.c - trees of four kinds of chunks that are made and freed in each turn, and their twin from an arena.
// One cause is one finding, at the function whose turns they are. With KEPT trees are handed on to later turns: no
// generation is gone before the next, and what is said is said of each place.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %heapprof_score --json %dump/heapprof.* | %python %S/Inputs/generation.py | FileCheck --check-prefix=JSON %s
// RUN: %clang_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// RUN: %clang_heapprof -O2 -g -DKEPT %s -o %t.kept && %run %t.kept
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=KEPT --implicit-check-not=[generation] %s
// CHECK: Likely: Each turn of run (generation.c:[[#]]) makes anew what is gone by the next: chunks of 18 points, such as
// CHECK-SAME: in make_sum (generation.c:[[#]]), at least 2000 turns of it, at most 832 B at a time
// CHECK-SAME: freed by drop (generation.c:[[#]]) and others: 60000 allocations (100 % of all)
// CHECK-SAME: -> Keep the object that holds them from turn to turn and fill it again, or take all of them from one arena
// CHECK-SAME: called by start (generation.c:[[#]])
// CHECK-SAME: [generation] points #1 #2 #3 #4 #5 #6 #7 #8 and 10 more
// CHECK-NOT: [short_lived]
// JSON: 18 of 18 points with 2000 generations
// REPAIRED: no findings
// KEPT: [short_lived]
#include <stdlib.h>
#include <string.h>

#define APART __attribute__((noinline))

struct node {
  int kind;
  struct node *left, *right;
  char *name;
  long *value;
};

#ifdef REPAIRED
static char arena[1 << 16];
static size_t used;
static void *take(size_t size) {
  void *p = arena + used;
  used += (size + 15) & ~(size_t)15;
  return memset(p, 0, size);
}
static void give(void *p) { (void)p; }
#else
#define take(size) calloc(1, size)
#define give(p) free(p)
#endif

APART static long *make_number(long value) {
  long *number = take(sizeof *number);
  *number = value;
  return number;
}

APART static struct node *make_leaf(long value) {
  struct node *leaf = take(sizeof *leaf);
  leaf->kind = 1;
  leaf->value = make_number(value);
  return leaf;
}

APART static char *make_name(int depth) {
  char *name = take(24);
  memset(name, 'a' + depth, 23);
  return name;
}

APART static struct node *make_sum(int depth) {
  struct node *sum = take(sizeof *sum);
  sum->kind = 2;
  sum->name = make_name(depth);
  return sum;
}

APART static struct node *parse(long seed, int depth) {
  if (depth == 0)
    return make_leaf(seed);
  struct node *sum = make_sum(depth);
  sum->left = parse(seed * 3, depth - 1);
  sum->right = parse(seed + 1, depth - 1);
  return sum;
}

APART static long total(const struct node *node) {
  if (node->kind == 1)
    return *node->value;
  return total(node->left) + total(node->right) + node->name[1];
}

APART static void drop(struct node *node) {
  if (!node)
    return;
  drop(node->left);
  drop(node->right);
  give(node->name);
  give(node->value);
  give(node);
}

APART static long run(int turns) {
  long sum = 0;
#ifdef KEPT
  struct node *kept[3] = {0};
#endif
  for (int i = 0; i < turns; i++) {
    struct node *tree = parse(i, 3);
    sum += total(tree);
#ifdef KEPT
    drop(kept[i % 3]);
    kept[i % 3] = tree;
#else
    drop(tree);
#endif
#ifdef REPAIRED
    used = 0;
#endif
  }
#ifdef KEPT
  for (int i = 0; i < 3; i++)
    drop(kept[i]);
#endif
  return sum;
}

APART static long start(void) { return run(2000) + 1; }

int main(void) { return start() == 0; }
