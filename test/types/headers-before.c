// What is kept before the caller's memory gives way to the caller's type, as in pools of talloc's kind and in stretchy buffers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: for level in -O0 -O1 -O2; do \
// RUN:   %clang_heapprof $level %s -o %t && %run %t && %check_types || { echo "at $level"; exit 1; }; done
#include "rows.h"
#include <string.h>
#define WRAPPER __attribute__((noinline))

struct header {
  struct header *next;
  const char *name;
  size_t size;
};
WRAPPER void *named(const void *context, size_t size, const char *name) {
  (void)context;
  struct header *h = malloc(sizeof *h + size);
  h->name = name;
  keep(h);
  return h + 1;
}
WRAPPER void *rounded(size_t size) {
  size_t all = (sizeof(struct header) + size + 15) & ~(size_t)15;
  struct header *h = malloc(all);
  keep(h);
  return h + 1;
}
WRAPPER void *grown(void *array, int count, int item) {
  size_t *p = realloc(array ? (size_t *)array - 2 : 0,
                      item * count + sizeof(size_t) * 2);
  keep(p);
  return p + 2;
}
// Its own, with room for a text: not memory that a caller gets.
WRAPPER struct header *made(size_t text) {
  struct header *h = malloc(sizeof *h + text); // TYPE 524 argument header
  return h;
}
// A table of as many: what is multiplied is what is asked for.
WRAPPER void *table(size_t n) {
  return malloc(n *
                sizeof(struct header)); // TYPE 528 argument header = 22 of 24
}
// A word for a link, as a number names its size: not what the memory is.
WRAPPER void *linked(char **list, size_t size) {
  void *s = malloc(sizeof(size_t) + size);
  *(char **)s = *list;
  *list = (char *)s;
  return (char *)s + sizeof(size_t);
}
WRAPPER void *copied(const void *p, size_t n) {
  return memcpy(malloc(n), p, n);
}
WRAPPER char *text_of(const char *s) {
  size_t n = strlen(s) + 1;
  return memcpy(malloc(n), s, n); // TYPE 22 argument char
}

int main(void) {
  struct R *r = named(NULL, 20 * sizeof *r, "R"); // TYPE 504 wrapper R
  keep(r);
  keep((struct Q *)named(NULL, 490, "Q")); // TYPE 514 wrapper Q
  void *unsaid = named(NULL, 491, "");     // TYPE 515 argument header
  keep(unsaid);
  char *list = NULL;
  struct Q *first = linked(&list, 592); // TYPE 600 wrapper Q
  keep(first);
  void *second = linked(&list, 600); // TYPE 608 -
  keep(second);
  struct Q *q = rounded(500); // TYPE 528 wrapper Q
  keep(q);
  struct R *buffer = grown(NULL, 22, sizeof *buffer); // TYPE 544 wrapper R
  keep(buffer);
  keep(made(500));
  keep((struct Q *)table(22));
  struct R many[23] = {{{0}}};
  struct R *copy = copied(many, 552); // TYPE 552 wrapper R
  keep(copy);
  keep(text_of("twenty-one characters"));
  return 0;
}
