// no-chains.c - sizes that ascend although nothing grows: no chunk takes over from another one.
// Rows that are kept, messages that pass through a queue, buffers that take turns, nodes, texts that are made anew.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck --implicit-check-not=[growing] %s
// RUN: %heapprof_score --filter flag=growing %dump/heapprof.* | FileCheck --check-prefix=FLAG %s
// RUN: %clang_heapprof -O0 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck --implicit-check-not=[growing] %s
// RUN: %heapprof_score --filter flag=growing %dump/heapprof.* | FileCheck --check-prefix=FLAG %s
// CHECK: chunks
// FLAG: no point passes the filter
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))
enum { COUNT = 600, DEPTH = 4 };

// Rows of a triangular matrix: each is larger than the one before.
NOINLINE static long rows(void) {
  long *row[COUNT], sum = 0;
  for (int i = 0; i < COUNT; i++) {
    row[i] = malloc((size_t)(i + 1) * sizeof *row[i]);
    for (int k = 0; k <= i; k++)
      row[i][k] = i + k;
  }
  for (int i = 0; i < COUNT; i++) {
    for (int k = 0; k <= i; k++)
      sum += row[i][k];
    free(row[i]);
  }
  return sum;
}

// Messages through a queue: as the sizes happen to ascend, the one that is freed is smaller than all that wait.
NOINLINE static long queue(int depth) {
  long *queue[DEPTH] = {0}, sum = 0;
  for (long i = 0; i < COUNT + depth; i++) {
    long **slot = &queue[i % depth];
    if (*slot) {
      for (long k = 0; k < i - depth + 8; k++)
        sum += (*slot)[k];
      free(*slot);
    }
    *slot = NULL;
    if (i >= COUNT)
      continue;
    *slot = malloc((size_t)(i + 8) * sizeof **slot);
    for (long k = 0; k < i + 8; k++)
      (*slot)[k] = i * 1000 + k;
  }
  return sum;
}

// The next message is made before the last one is read: from the same bytes, not from the last one.
NOINLINE static long pipeline(const char *text) {
  char *last = NULL;
  long sum = 0;
  for (size_t i = 8; i < COUNT; i++) {
    char *next = malloc(i);
    memcpy(next, text, i);
    next[0] = (char)i;
    if (last)
      for (size_t k = 0; k + 1 < i; k++)
        sum += last[k];
    free(last);
    last = next;
  }
  free(last);
  return sum;
}

// Two buffers take turns, each new one is larger, and the old one is freed unread.
NOINLINE static long turns(void) {
  char *now[2] = {0};
  long sum = 0;
  for (size_t i = 8; i < COUNT; i++) {
    free(now[i % 2]);
    now[i % 2] = malloc(i);
    memset(now[i % 2], (int)i, i);
    sum += now[i % 2][i / 2];
  }
  free(now[0]);
  free(now[1]);
  return sum;
}

// A new buffer replaces the old one, which nobody needs: it is filled from elsewhere.
NOINLINE static long replaced(const char *text) {
  char *buffer = NULL;
  long sum = 0;
  for (size_t i = 8; i < COUNT; i++) {
    char *next = malloc(i);
    memcpy(next, text + i, i);
    sum += next[i - 1];
    free(buffer);
    buffer = next;
  }
  free(buffer);
  return sum;
}

// Each step is computed from the last one, and is no copy of it.
NOINLINE static long steps(void) {
  size_t n = 8;
  long *now = calloc(n, sizeof *now), sum = 0;
  for (; n < COUNT; n++) {
    long *next = malloc((n + 1) * sizeof *next);
    next[0] = 1;
    for (size_t k = 1; k <= n; k++)
      next[k] = now[k - 1] + (k < n ? now[k] : 0) % 9973;
    free(now);
    now = next;
  }
  for (size_t k = 0; k < n; k++)
    sum += now[k];
  free(now);
  return sum;
}

// Nodes of a list, each larger than the one before, freed from the front while more come.
struct node {
  struct node *next;
  char text[];
};
NOINLINE static long nodes(void) {
  struct node *first = NULL, **end = &first;
  long sum = 0;
  for (size_t i = 8; i < COUNT; i++) {
    struct node *node = malloc(sizeof *node + i);
    node->next = NULL;
    snprintf(node->text, i, "node %zu of the list", i);
    *end = node;
    end = &node->next;
    if (i % 2 == 0 && first->next) {
      struct node *old = first;
      sum += old->text[5];
      first = old->next;
      free(old);
    }
  }
  while (first) {
    struct node *old = first;
    sum += old->text[5];
    first = old->next;
    free(old);
  }
  return sum;
}

// realloc that makes a chunk smaller, or leaves its size as it is.
NOINLINE static long shrinks(void) {
  long sum = 0;
  for (size_t i = COUNT; i > 8; i -= 8) {
    char *p = malloc(2 * i);
    memset(p, 1, 2 * i);
    p = realloc(p, 2 * i);
    p = realloc(p, i);
    p = realloc(p, i / 2);
    p = realloc(p, i / 4);
    sum += p[0];
    free(p);
  }
  return sum;
}

int main(void) {
  static char text[2 * COUNT];
  for (size_t i = 0; i < sizeof text; i++)
    text[i] = (char)(i * i % 127);
  long sum = rows() + queue(1) + queue(DEPTH) + pipeline(text) + turns() +
             replaced(text) + steps() + nodes() + shrinks();
  printf("%ld\n", sum);
  return 0;
}
