// wrapper-obstack.c - a program with its own copy of obstacks, as gnulib has it: who begins or fills one is the place, not what lies between.
// Its twin is repaired: one obstack for all turns.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clang_heapprof -O1 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK-NOT: {{_obstack_begin|call_chunkfun|call_freefun}} (
// CHECK: arguments (wrapper-obstack.c:[[#]]) allocates _obstack_chunk of 3.97 KiB one after the other
// CHECK-SAME: freed by arguments (wrapper-obstack.c:{{[0-9]+}})
// CHECK-SAME: called by main (
// REPAIRED: no findings
#include <stdlib.h>
#include <string.h>

#define APART __attribute__((noinline))

struct _obstack_chunk {
  char *limit;
  struct _obstack_chunk *prev;
  char contents[];
};

struct stack {
  size_t block;
  struct _obstack_chunk *chunk;
  char *free;
  void *(*chunkfun)(size_t);
  void (*freefun)(void *);
};

APART static void *call_chunkfun(struct stack *h, size_t size) {
  return h->chunkfun(size);
}

APART static void call_freefun(struct stack *h, void *old) { h->freefun(old); }

APART static void chunk_of(struct stack *h, struct _obstack_chunk *chunk) {
  chunk->prev = h->chunk;
  chunk->limit = (char *)chunk + h->block;
  h->chunk = chunk;
  h->free = chunk->contents;
}

APART static int _obstack_begin_worker(struct stack *h, size_t block) {
  h->block = block;
  h->chunk = NULL;
  h->chunkfun = malloc;
  h->freefun = free;
  chunk_of(h, (struct _obstack_chunk *)call_chunkfun(h, block));
  return 1;
}

APART int _obstack_begin(struct stack *h, size_t block) {
  return _obstack_begin_worker(h, block) + 1;
}

APART int _obstack_newchunk(struct stack *h) {
  chunk_of(h, (struct _obstack_chunk *)call_chunkfun(h, h->block));
  return 1;
}

APART int _obstack_free(struct stack *h) {
  for (struct _obstack_chunk *c = h->chunk, *prev; c; c = prev) {
    prev = c->prev;
    call_freefun(h, c);
  }
  return 0;
}

static char *grow(struct stack *h, size_t n) {
  if (h->free + n > h->chunk->limit)
    _obstack_newchunk(h);
  char *at = h->free;
  h->free += n;
  return at;
}

#ifdef REPAIRED
#define BLOCK 64
#define TURNS 1
#else
#define BLOCK 4064
#define TURNS 2000
#endif

APART static long arguments(int turn) {
  struct stack h;
  _obstack_begin(&h, BLOCK);
  char *at = grow(&h, 16);
  memset(at, turn, 16);
  __asm__ volatile("" : : "r"(at) : "memory");
  long sum = at[turn % 16];
  _obstack_free(&h);
  return sum;
}

int main(void) {
  long sum = 0;
  for (int i = 0; i < TURNS; i++)
    sum += arguments(i);
  return sum == 1;
}
