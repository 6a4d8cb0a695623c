// cache-renewed.c - each request drops the cache of the one before and makes a new one: its table, its nodes and their texts are one finding.
// The function that makes the table drops the one before, so that it alone both made and freed it. The twin keeps the cache.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: for o in -O0 -O2; do %clang_heapprof $o -g %s -o %t && %run %t && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s || exit 1; done
// RUN: %clang_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK: 1. Likely: Each turn of handle (cache-renewed.c:[[#]]) makes anew what is gone by the next: chunks of 4 points, such as in look_up (cache-renewed.c:[[#]]), at least 300 turns of it
// CHECK-SAME: freed by drop (cache-renewed.c:[[#]])
// CHECK-SAME: 36600 allocations
// CHECK-NOT: 2.
// REPAIRED-NOT: [generation]
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 256, KEYS = 60 };

struct node {
  struct node *next;
  char *key;
  int uses;
};

struct cache {
  struct node **slots;
  size_t count;
};

static struct cache *cache;

__attribute__((noinline)) static void drop(struct cache *old) {
  for (int i = 0; i < SLOTS; i++)
    for (struct node *node = old->slots[i], *next; node; node = next) {
      next = node->next;
      free(node->key);
      free(node);
    }
  free(old->slots);
  free(old);
}

__attribute__((noinline)) static void renew(void) {
#ifdef REPAIRED
  if (cache)
    return;
#endif
  if (cache)
    drop(cache);
  cache = malloc(sizeof *cache);
  cache->slots = calloc(SLOTS, sizeof *cache->slots);
  cache->count = 0;
}

__attribute__((noinline)) static int look_up(const char *key) {
  struct node **slot = &cache->slots[(key[0] * 7 + key[1]) % SLOTS];
  for (struct node *node = *slot; node; node = node->next)
    if (strcmp(node->key, key) == 0)
      return ++node->uses;
  struct node *node = malloc(sizeof *node);
  node->key = strdup(key);
  node->uses = 1;
  node->next = *slot;
  *slot = node;
  cache->count++;
  return 1;
}

__attribute__((noinline)) static int handle(int request) {
  int sum = 0;
  renew();
  for (int i = 0; i < 200; i++) {
    const int number = (i * 7 + request) % KEYS;
    const char key[] = {(char)('a' + number / 10), (char)('a' + number % 10),
                        0};
    sum += look_up(key);
  }
  return sum;
}

int main(void) {
  int sum = 0;
  for (int i = 0; i < 300; i++)
    sum += handle(i);
  drop(cache);
  return sum == 1;
}
