// Functions that leave memory where a parameter points: the type is that of the pointer there.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: for level in -O0 -O1 -O2 -Os; do \
// RUN:   %clang_heapprof $level %s -o %t && %run %t && %check_types || { echo "at $level"; exit 1; }; done
#include "rows.h"
#include <string.h>
#define WRAPPER __attribute__((noinline))

WRAPPER int with_check(void **out, size_t n) {
  void *p = malloc(n);
  if (!p)
    return -1;
  *out = p;
  return 0;
}
WRAPPER int direct(void **out, size_t n) { return (*out = malloc(n)) == NULL; }
WRAPPER void size_first(size_t n, void **out) { *out = calloc(1, n); }
WRAPPER int outer(void **out, size_t n, int more) {
  return direct(out, n + more);
}
WRAPPER int text(char **out, size_t n) { return (*out = malloc(n)) == NULL; }
// Keeps a number before the memory, and something of its own.
struct pool {
  int asked;
  struct R *own;
};
WRAPPER int from_pool(struct pool *pool, void **out, unsigned n) {
  if (pool->asked++ == 0)
    pool->own = malloc(301); // TYPE 301 argument R
  char *p = malloc(n + 16);
  *out = p + 16;
  return 0;
}
// Rounds up by a function that it is given, as SQLite does, and asks the memory how large it became.
struct heap {
  int (*round)(int);
  void *(*get)(int);
  int used;
};
static int round_up(int n) { return (n + 7) & ~7; }
static void *get(int n) {
  long *p = malloc((size_t)n + 8);
  *p = n;
  return p + 1;
}
static int size_of(const void *p) { return (int)((const long *)p)[-1]; }
static struct heap heap = {round_up, get, 0};
static void count(int n, void **out) {
  int size = heap.round(n);
  void *p = heap.get(size);
  if (p) {
    size = size_of(p);
    heap.used += size;
  }
  *out = p;
}
WRAPPER void *counted(unsigned long n) {
  void *p;
  count((int)n, &p);
  return p;
}
WRAPPER int only_own(void **out, size_t n) {
  static char memory[2000];
  void *own = malloc(302); // TYPE 302 -
  keep(own);
  *out = memory + n % 1000;
  return 0;
}
WRAPPER int untyped(void *out, size_t n) {
  return (*(void **)out = malloc(n)) == NULL;
}
struct hooks {
  int (*allocate)(void **, size_t);
};
// Is given a table, and has no memory for it.
WRAPPER int reversed(void **table, size_t n) {
  void *copy = malloc(n * 19); // TYPE 304 -
  memcpy(copy, table, n);
  memcpy(table, copy, n);
  keep(copy);
  return 0;
}

// What is kept of a buffer is not as long as that is.
WRAPPER void *copy_of(const void *p, size_t n) {
  return memcpy(malloc(n), p, n);
}
WRAPPER int kept_of(unsigned char **out, unsigned char *buffer, size_t room) {
  return room < 37 || !(*out = copy_of(buffer, buffer[0] + 36));
}

int main(void) {
  unsigned char buffer[600] = {1}, *part = NULL;
  kept_of(&part, buffer, sizeof buffer); // TYPE 37 wrapper unsigned char
  keep(part);
  struct Q *q;
  struct R *r;
  void *v;
  struct pool pool = {0, NULL};
  struct hooks hooks = {with_check};
  int bad = with_check((void **)&q, 701); // TYPE 701 wrapper Q
  keep(q);
  bad |= direct((void **)&r, 702); // TYPE 702 wrapper R
  keep(r);
  size_first(703, (void **)&q); // TYPE 703 wrapper Q
  keep(q);
  bad |= outer((void **)&r, 704, 0); // TYPE 704 wrapper R
  keep(r);
  bad |= direct((void *)&q, 705); // TYPE 705 wrapper Q
  keep(q);
  bad |= direct(&v, 30 * sizeof(struct R)); // TYPE 720 wrapper R = 30 of 24
  keep(v);
  bad |= direct(&v, 707); // TYPE 707 -
  keep(v);
  bad |= text((char **)&q, 708); // TYPE 708 wrapper Q
  keep(q);
  char *c;
  bad |= text(&c, 709); // TYPE 709 wrapper char
  keep(c);
  bad |= from_pool(&pool, (void **)&q, 710); // TYPE 726 -
  keep(q);
  bad |= from_pool(&pool, (void **)&r, 711); // TYPE 727 wrapper R
  keep(r);
  bad |= hooks.allocate((void **)&r, 712); // TYPE 712 wrapper R
  keep(r);
  struct {
    struct Q *member;
  } s;
  bad |= direct((void **)&s.member, 713); // TYPE 713 wrapper Q
  keep(s.member);
  bad |= untyped(&q, 716); // TYPE 716 -
  keep(q);
  bad |= only_own((void **)&q, 714);
  q = counted(1000); // TYPE 1008 wrapper Q
  keep((long *)q - 1);
  r = counted(40 * sizeof(struct R)); // TYPE 968 wrapper R = 40 of 24
  keep((long *)r - 1);
  struct Q *table[2] = {NULL, NULL};
  bad |= reversed((void **)table, 16);
  keep(malloc(715)); // TYPE 715 -
  return bad;
}
