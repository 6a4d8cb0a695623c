/* members.c - accesses of chunks by their place in the chunk: as by one hook for each access, and as the comments say.
   Beside each record: reads and writes of its members, from -O0 to -O3 and with LTO.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// REQUIRES: llvm-22
// DEFINE: %{build} = sh %S/Inputs/build_forms.sh '%clang_heapprof %same_stacks -fsanitize-heapprof-members' '' %t
// DEFINE: %{look} = %python %S/Inputs/compare_members.py %t | FileCheck %s
// RUN: %{build} -O0 -pthread %s && %{look}
// RUN: %{build} -O2 -pthread %s && %{look}
// RUN: %{build} -O3 -pthread %s && %{look}
// RUN: %{build} -O2 -flto -fuse-ld=lld -pthread %s && %{look}
// RUN: %{build} -O2 -pthread -mllvm -heapprof-inline=0 %s && %{look}
// RUN: %{build} -O2 -pthread -mllvm -heapprof-loop-ranges=0 %s && %{look}
// RUN: %{build} -O2 -pthread -mllvm -heapprof-expect-samples %s && %{look}
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))

/* A list of 100, walked ten times. */
struct node {
  struct node *next; /* read 100 * 10 + 100, written 100 */
  double weight;     /* written 100, and 50 * 10 both */
  int key;           /* read 100 * 10, written 100 */
  char mark;         /* written 50 * 10 */
  long spare;        /* nothing */
};
// CHECK-DAG: node +0 8: 1100 reads, 100 writes
// CHECK-DAG: node +8 8: 500 reads, 600 writes
// CHECK-DAG: node +16 4: 1000 reads, 100 writes
// CHECK-DAG: node +20 1: 0 reads, 500 writes

static NOINLINE struct node *push(struct node *list, int key) {
  struct node *node = malloc(sizeof *node);
  node->next = list;
  node->weight = key;
  node->key = key;
  return node;
}

static NOINLINE int walk(struct node *list, int round) {
  int sum = 0;
  for (struct node *node = list, *next; node; node = next) {
    next = node->next;
    const int key = node->key;
    sum += key;
    if (key & 1) {
      node->weight += round;
      node->mark = (char)round;
    }
  }
  return sum;
}

static NOINLINE void drop(struct node *list) {
  for (struct node *next; list; list = next) {
    next = list->next;
    free(list);
  }
}

/* An array of 50, of which each place is that of one record. */
struct cell {
  long long id; /* written 50, read until it is found: 25 + 26 + 27 */
  double at[3]; /* each written 50; the middle one read 50 * 4 */
  short tail;   /* read and written 50 */
};
// CHECK-DAG: cell +0 8: 78 reads, 50 writes
// CHECK-DAG: cell +8 8: 0 reads, 50 writes
// CHECK-DAG: cell +16 8: 200 reads, 50 writes
// CHECK-DAG: cell +24 8: 0 reads, 50 writes
// CHECK-DAG: cell +32 2: 50 reads, 50 writes

static NOINLINE struct cell *cells(int n) {
  struct cell *cells = calloc((size_t)n, sizeof *cells);
  for (int i = 0; i < n; i++) {
    cells[i].id = i;
#pragma clang loop unroll(disable) vectorize(disable)
    for (int k = 0; k < 3; k++)
      cells[i].at[k] = i + k;
  }
  return cells;
}

/* Turn by turn, and backwards. */
static NOINLINE double middle(const struct cell *cells, int n, int rounds) {
  double sum = 0;
  for (int round = 0; round < rounds; round++)
    for (int i = n - 1; i >= 0; i--)
      sum = sum / 2 + cells[i].at[1];
  return sum;
}

static NOINLINE void count(struct cell *cells, int n) {
  for (int i = 0; i < n; i++)
    cells[i].tail++;
}

/* Left where it is found. */
static NOINLINE int find(const struct cell *cells, long long id) {
  int i = 0;
  while (cells[i].id != id)
    i++;
  return i;
}

/* Of libc's functions, each access is of all bytes that it is given. */
struct text {
  size_t length; /* written 20, read 20 by memcmp */
  char head[8]; /* 0 bytes by memset; then strcpy writes 6 and strlen reads 6 */
  char body[240]; /* copied to 20 times, a read and a write of 240 */
};
// CHECK-DAG: text +0 8: 20 reads, 20 writes
// CHECK-DAG: text +8 6: 20 reads, 20 writes
// CHECK-DAG: text +16 240: 10 reads, 20 writes

static NOINLINE size_t fill(struct text *one, const struct text *other,
                            const char *word, size_t size) {
  one->length = size;
  strcpy(one->head, word);
  memcpy(one->body, other ? other->body : word - 64, size);
  return strlen(one->head) + (size_t)memcmp(&one->length, word, size / 30);
}

/* By a thread that did not allocate it, as often as by the one that did. */
struct shared {
  volatile int turns; /* 2 * 1000 both */
  char gap[60];
  volatile int more; /* 1000 writes */
};
// CHECK-DAG: shared +0 4: 2000 reads, 2000 writes
// CHECK-DAG: shared +64 4: 0 reads, 1000 writes

static void *turn(void *argument) {
  struct shared *shared = argument;
  for (volatile int i = 0; i < 1000; i++)
    shared->turns++;
  return NULL;
}

static NOINLINE void share(struct shared *shared) {
  pthread_t thread;
  turn(shared);
  for (volatile int i = 0; i < 1000; i++)
    shared->more = i;
  pthread_create(&thread, NULL, turn, shared);
  pthread_join(thread, NULL);
}

/* What realloc copies is a write of the new chunk, of all its records at once: one of each place.  Four of 8 bytes
   are the program's. */
struct grown {
  long numbers[1];
};
// CHECK-DAG: grown +0 8: 1 reads, {{[4-9]}} writes
// CHECK: {{[0-9]+}} places, 0 differ, 0 lost

static NOINLINE long grow(void) {
  struct grown *grown = malloc(sizeof *grown);
  for (size_t n = 1; n < 200; n += 50) {
    grown = realloc(grown, n * sizeof *grown);
    grown[n - 1].numbers[0] = (long)n;
  }
  const long first = grown->numbers[0];
  free(grown);
  return first;
}

static char words[512];
static volatile int fifty = 50; /* for all that a compiler knows, any number */

int main(void) {
  struct node *list = NULL;
  long sum = 0;
  for (int i = 0; i < 100; i++)
    list = push(list, i);
  for (int round = 0; round < 10; round++)
    sum += walk(list, round);
  drop(list);

  struct cell *all = cells(50);
  sum += (long)middle(all, fifty, 4);
  count(all, 50);
  for (int i = 0; i < 3; i++)
    sum += find(all, 24 + i);
  free(all);

  strcpy(words + 64, "hello");
  struct text *last = NULL;
  for (int i = 0; i < 20; i++) {
    struct text *text = malloc(sizeof *text);
    sum += fill(text, i % 2 ? last : NULL, words + 64, 240) > 0;
    free(last);
    last = text;
  }
  free(last);

  struct shared *shared = calloc(1, sizeof *shared);
  share(shared);
  sum += shared->gap[0];
  free(shared);
  sum += grow();
  printf("%ld\n", sum);
  return 0;
}
