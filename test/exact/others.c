/* others.c - what a thread does to chunks that another one allocated, by hooks that are called and by inline ones: as by one hook for each access.
   Within what it has accessed before, beyond it, of a chunk of its own in between, of what is no heap, by libc's functions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// REQUIRES: llvm-22
// RUN: %forms %t -O2 -pthread %s && %compare %t | FileCheck %s
// RUN: %forms %t -O2 -pthread -mllvm -heapprof-inline-above=0 %s && %compare %t | FileCheck %s
// RUN: %forms %t -O2 -pthread -mllvm -heapprof-word-hooks=0 %s && %compare %t | FileCheck %s
// CHECK: 133 chunks, {{[0-9]+}} reads, {{[0-9]+}} writes, 0 differ
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define NOINLINE __attribute__((noinline))

/* More chunks of a point than are exact. */
enum { SHAPES = 128 };

struct shape {
  char kind, flags;
  short corners;
  int colour;
  double width, height;
  struct shape *next;
  char name[32];
};

static struct shape *first;
static size_t (*volatile length)(const char *) = strlen;

/* Each by a hook of its own: calls are between them. */
static NOINLINE double area(struct shape *s) {
  double area = s->width;
  puts(s->name);
  area *= s->height;
  puts("");
  s->flags++;
  puts("");
  s->corners += 2;
  puts("");
  s->colour = s->kind;
  return area;
}

/* Nearly always of a chunk, once of the stack. */
static NOINLINE int colours(const struct shape *from, int most) {
  int sum = 0;
  for (const struct shape *s = from; s && most--; s = s->next) {
    if (s->colour > 50)
      sum += (int)length(s->name);
    sum += s->colour ^ s->kind;
  }
  return sum;
}

static NOINLINE size_t names(struct shape *s, char *own) {
  size_t same = 0;
  for (; s->next; s = s->next) {
    same += memcmp(s->name, s->next->name, sizeof s->name) == 0;
    memcpy(own, s->name, length(s->name) + 1);
    memset(s->name + 16, own[0], length(own) / 2);
    memmove(s->name, s->name + 1, length(own));
  }
  return same;
}

static void *worker(void *arg) {
  struct shape on_stack = {.colour = 7, .next = first};
  char *own = malloc(64);
  double sum = 0;
  for (int turn = 0; turn < 3; turn++) {
    for (struct shape *s = first; s; s = s->next)
      sum += area(s);
    sum += colours(&on_stack, 1 << 20) + (double)names(first, own);
  }
  own[1] += own[0];
  area(first);
  free(own);
  *(double *)arg = sum;
  return NULL;
}

int main(void) {
  for (int i = 0; i < SHAPES; i++) {
    struct shape *s = malloc(sizeof *s);
    *s = (struct shape){(char)i, 0, 3, i, i, 2, first, "shape of some name"};
    s->name[0] = (char)('a' + i % 26);
    first = s;
  }
  double *sums = malloc(2 * sizeof *sums);
  for (int i = 0; i < 2; i++) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, &sums[i]);
    pthread_join(thread, NULL);
  }
  double sum = sums[0] + sums[1] + colours(first, 1 << 20);
  for (struct shape *s = first, *next; s; s = next) {
    next = s->next;
    free(s);
  }
  free(sums);
  printf("%g\n", sum);
}
