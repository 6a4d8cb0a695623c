// right-cache.c - a cache of the entries that were used last, as it should be: nothing certain is to be said against it.
// What its pool would spare is likely, and so told: entries come and go, and many are there at once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// CHECK: points
// CHECK-NOT: {{Fact:|one after the other|on the stack|_late|_only|\[lost|unused}}
// CHECK: again and again
// CHECK-NOT: {{Fact:|one after the other|on the stack|_late|_only|\[lost|unused}}
#include <stdlib.h>
#include <string.h>

#define CAPACITY                                                               \
  100u /* so that also where a processor is waited for most live less than a millisecond */
#define BUCKETS 256u

struct entry {
  struct entry *before, *after, *chain;
  unsigned key;
  size_t size;
  char *value;
};

static struct entry *buckets[BUCKETS];
static struct entry used = {.before = &used, .after = &used};
static unsigned count;

static void take_out(struct entry *e) {
  e->before->after = e->after;
  e->after->before = e->before;
}

static void put_first(struct entry *e) {
  e->after = used.after;
  e->before = &used;
  used.after->before = e;
  used.after = e;
}

__attribute__((noinline)) static struct entry *load(unsigned key) {
  struct entry *e = malloc(sizeof *e);
  e->key = key;
  e->size = 100 + key % 400;
  e->value = malloc(e->size);
  memset(e->value, (int)(key & 127), e->size);
  return e;
}

__attribute__((noinline)) static void drop_last(void) {
  struct entry *e = used.before;
  struct entry **at = &buckets[e->key % BUCKETS];
  take_out(e);
  while (*at != e)
    at = &(*at)->chain;
  *at = e->chain;
  free(e->value);
  free(e);
  count--;
}

static const struct entry *get(unsigned key) {
  for (struct entry *e = buckets[key % BUCKETS]; e; e = e->chain)
    if (e->key == key) {
      take_out(e);
      put_first(e);
      return e;
    }
  if (count == CAPACITY)
    drop_last();
  struct entry *e = load(key);
  e->chain = buckets[key % BUCKETS];
  buckets[key % BUCKETS] = e;
  put_first(e);
  count++;
  return e;
}

/* Mostly of a few hundred keys, now and then of many. */
int main(void) {
  unsigned x = 1;
  long sum = 0;
  for (int i = 0; i < 100000; i++) {
    x = x * 1103515245u + 12345u;
    const unsigned r = x >> 16;
    const struct entry *e = get(r % 10 < 8 ? r % 70 : r % 30000);
    for (size_t k = 0; k < e->size; k += 8)
      sum += e->value[k];
  }
  while (count)
    drop_last();
  return sum == 1;
}
