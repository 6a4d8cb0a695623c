// wrapper-both-ways.c - one function behind a pointer allocates, grows and frees, as Lua's l_alloc; others call it for one of these.
// Whoever calls those makes chunks, frees them and lets them grow: by names, and of functions that say nothing of memory by what they serve.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: for f in -O0 -O2 '-Os -DKIND=inline' '-O2 -flto -fuse-ld=lld'; do \
// RUN:   %clang_heapprof $f -g %s -o %t && %run %t && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefixes=CHECK,GROWS %s || exit 1; done
// RUN: %clang_heapprof -O1 -g -Dm_alloc=memory -Dm_realloc_=change -Dm_free_=give -Dm_malloc_=take %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// CHECK-NOT: from {{m_|memory|take}}
// CHECK-DAG: 200 chunks of 400 B (int) from count (wrapper-both-ways.c:[[#]]) are written and never read
// CHECK-DAG: 100 chunks of 100 B (char) from lose (wrapper-both-ways.c:[[#]]) are lost
// CHECK-DAG: make_item (wrapper-both-ways.c:[[#]]) allocates item of 72 B {{[^>]*}}; freed by drop (wrapper-both-ways.c:[[#]])
// CHECK-DAG: make_name (wrapper-both-ways.c:[[#]]) allocates char of 40 B {{[^>]*}}; freed by name_item (wrapper-both-ways.c:[[#]])
// GROWS-DAG: A buffer in collect (wrapper-both-ways.c:[[#]]) grows 1249 times
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline)) static
#ifdef KIND
#define SERVES static KIND
#else
#define SERVES NOINLINE
#endif

struct state {
  void *(*memory)(void *with, void *old, size_t from, size_t to);
  size_t bytes;
};

static void *m_alloc(void *with, void *old, size_t from, size_t to) {
  (void)with, (void)from;
  if (to == 0) {
    free(old);
    return NULL;
  }
  return realloc(old, to);
}

SERVES void *m_realloc_(struct state *s, void *old, size_t from, size_t to) {
  void *memory = s->memory(s, old, from, to);
  if (!memory)
    abort();
  s->bytes += to - from;
  return memory;
}

SERVES void *m_malloc_(struct state *s, size_t size) {
  void *memory = s->memory(s, NULL, 0, size);
  if (!memory)
    abort();
  s->bytes += size;
  return memory;
}

SERVES void m_free_(struct state *s, void *old, size_t size) {
  s->memory(s, old, size, 0);
  s->bytes -= size;
}

struct item {
  char name[24];
  struct item *next;
  int values[10];
};

NOINLINE char *make_name(struct state *s, int number) {
  char *name = m_malloc_(s, 40);
  snprintf(name, 40, "name %d", number);
  return name;
}

NOINLINE struct item *make_item(struct state *s, int number) {
  struct item *item = m_malloc_(s, sizeof *item);
  memset(item, 0, sizeof *item);
  item->values[0] = number;
  return item;
}

NOINLINE void name_item(struct state *s, struct item *item, int number) {
  char *name = make_name(s, number);
  memcpy(item->name, name, sizeof item->name);
  m_free_(s, name, 40);
}

NOINLINE void drop(struct state *s, struct item *item) {
  m_free_(s, item, sizeof *item);
}

NOINLINE int collect(struct state *s, size_t most) {
  char *bytes = NULL;
  size_t room = 0;
  for (size_t i = 0; i < most; i++) {
    if (i == room) {
      bytes = m_realloc_(s, bytes, room, room + 16);
      room += 16;
    }
    bytes[i] = (char)i;
  }
  int sum = 0;
  for (size_t i = 0; i < most; i++)
    sum += bytes[i];
  m_free_(s, bytes, room);
  return sum;
}

NOINLINE void lose(struct state *s) {
  char *bytes = m_malloc_(s, 100);
  memset(bytes, 1, 100);
  __asm__ volatile("" : : "r"(bytes) : "memory");
}

NOINLINE void count(struct state *s) {
  int *numbers[200];
  for (int i = 0; i < 200; i++) {
    numbers[i] = m_malloc_(s, 400);
    memset(numbers[i], 0, 400);
  }
  for (int i = 0; i < 200; i++)
    m_free_(s, numbers[i], 400);
}

int main(void) {
  struct state s = {m_alloc, 0};
  long *sums = m_malloc_(&s, 2000 * sizeof *sums);
  int sum = 0;
  for (int i = 0; i < 2000; i++) {
    struct item *item = make_item(&s, i);
    name_item(&s, item, i);
    sums[i] = item->values[0] + item->name[0];
    sum += (int)sums[i / 2];
    drop(&s, item);
  }
  sum += collect(&s, 20000);
  for (int i = 0; i < 100; i++)
    lose(&s);
  count(&s);
  m_free_(&s, sums, 2000 * sizeof *sums);
  return sum == 1;
}
