/* chosen.c - a key and the child that it leads to, one hook for both: counted as by one hook for each access.
   The children are ahead of the key, behind it, or between two others; by one thread and by several.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// REQUIRES: llvm-22
// RUN: %forms %t -O2 -pthread %s && %compare %t | FileCheck %s
// RUN: %forms %t -O2 -pthread -mllvm -heapprof-assembly=1 %s && %compare %t | FileCheck %s
// RUN: %forms %t -O2 -pthread -mllvm -heapprof-assembly=0 %s && %compare %t | FileCheck %s
// RUN: %forms %t -O2 -pthread -fPIC -mllvm -heapprof-assembly=1 %s && %compare %t | FileCheck %s
// RUN: %forms %t -O2 -pthread %s && %compare %t --samples
// RUN: %heapprof_clang -fsanitize=heapprof -O2 -pthread -c -mllvm -heapprof-stats %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=STATS
// CHECK: 902 chunks, {{[0-9]+}} reads, {{[0-9]+}} writes, 0 differ
// STATS: MergedChosen {{[3-9]}}
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#define NOINLINE __attribute__((noinline))
#define NODES 300

struct ahead {
  struct ahead *child[2];
  unsigned key;
};
struct behind {
  unsigned key;
  struct behind *child[2];
};
struct between {
  unsigned key;
  struct between *child[2];
  unsigned again;
};

#define TREE(kind, is_right)                                                   \
  static struct kind *kind##_root;                                             \
  static NOINLINE unsigned kind##_find(unsigned key) {                         \
    unsigned depth = 0;                                                        \
    for (const struct kind *at = kind##_root; at; depth++)                     \
      at = at->child[is_right];                                                \
    return depth;                                                              \
  }                                                                            \
  static NOINLINE void kind##_add(unsigned key) {                              \
    struct kind **place = &kind##_root;                                        \
    for (struct kind * at; (at = *place);)                                     \
      place = &at->child[is_right];                                            \
    *place = calloc(1, sizeof **place);                                        \
    (*place)->key = key;                                                       \
  }

TREE(ahead, at->key < key)
TREE(behind, at->key < key)
TREE(between, at->key + at->again < key)

static void *work(void *into) {
  unsigned sum = 0;
  for (unsigned i = 0; i < 3000; i++)
    sum += ahead_find(i * 7) + behind_find(i * 5) + between_find(i * 3);
  *(unsigned *)into = sum;
  return NULL;
}

int main(void) {
  unsigned state = 1, sum, others;
  for (unsigned i = 0; i < NODES; i++) {
    state = state * 1664525 + 1013904223;
    ahead_add(state >> 16), behind_add(state >> 17), between_add(state >> 18);
  }
  work(&sum);
  pthread_t other;
  if (pthread_create(&other, NULL, work, &others) || pthread_join(other, NULL))
    return 1;
  printf("%u %u\n", sum, others);
  return sum != others;
}
