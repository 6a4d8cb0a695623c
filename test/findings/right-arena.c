// right-arena.c - a tree in an arena, a table with open addressing that doubles, a text that is built in one buffer: all as they should be.
// There is nothing to say of the tree and the text; of the table that it grows, at most.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// CHECK: points
// CHECK-NOT: {{Fact:|right-arena.c:[0-9]+\) (is|are) kept}}
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 65536u
#define NODES 30000

struct block {
  struct block *next;
  size_t used;
  char room[];
};

static struct block *blocks;

/* From the block that is in use; all of them are freed together. */
static void *take(size_t size) {
  size = (size + 15) & ~(size_t)15;
  if (!blocks || blocks->used + size > BLOCK) {
    struct block *b = malloc(sizeof *b + BLOCK);
    b->next = blocks;
    b->used = 0;
    blocks = b;
  }
  void *p = blocks->room + blocks->used;
  blocks->used += size;
  return p;
}

struct node {
  struct node *less, *more;
  unsigned long key;
};

struct slot {
  unsigned long key, times;
};

static struct {
  struct slot *slots;
  size_t mask, count;
} table;

static struct slot *slot_of(unsigned long key) {
  size_t i = (key * 0x9e3779b97f4a7c15u) >> 20 & table.mask;
  while (table.slots[i].key && table.slots[i].key != key)
    i = (i + 1) & table.mask;
  return &table.slots[i];
}

static void enlarge(void) {
  struct slot *old = table.slots;
  const size_t room = old ? table.mask + 1 : 0;
  table.mask = room ? 2 * room - 1 : 63;
  table.slots = calloc(table.mask + 1, sizeof *table.slots);
  for (size_t i = 0; i < room; i++)
    if (old[i].key)
      *slot_of(old[i].key) = old[i];
  free(old);
}

static void count(unsigned long key) {
  if (!table.slots || 4 * table.count >= 3 * (table.mask + 1))
    enlarge();
  struct slot *at = slot_of(key);
  table.count += at->key == 0;
  at->key = key;
  at->times++;
}

static unsigned long next_key(unsigned long *x) {
  *x = *x * 6364136223846793005u + 1442695040888963407u;
  return (*x >> 48) + 1;
}

/* Three times over, as a program that works on its data does. */
int main(void) {
  struct node *root = NULL;
  unsigned long x = 1, sum = 0;
  for (int i = 0; i < NODES; i++) {
    const unsigned long key = next_key(&x);
    struct node **at = &root;
    while (*at && (*at)->key != key)
      at = key < (*at)->key ? &(*at)->less : &(*at)->more;
    if (!*at) {
      *at = take(sizeof **at);
      **at = (struct node){.key = key};
    }
    count(key);
  }
  char *text = malloc(BLOCK);
  for (int times = 0; times < 3; times++) {
    size_t length = 0;
    for (int i = 0; i < NODES; i++) {
      const unsigned long key = next_key(&x);
      const struct node *n = root;
      while (n && n->key != key)
        n = key < n->key ? n->less : n->more;
      sum += slot_of(key)->times + (n != NULL);
      if (length + 32 > BLOCK) {
        sum += strlen(text);
        length = 0;
      }
      length += (size_t)snprintf(text + length, 32, "%lu,", key);
    }
  }
  free(text);
  free(table.slots);
  for (struct block *b = blocks, *next; b; b = next) {
    next = b->next;
    free(b);
  }
  return sum == 1;
}
