// wrapper-gnulib.c - gnulib's xcharalloc and xpalloc, and reallocf of the BSDs, are no places to change anything, though one line calls each.
// What only begins so, as xpalloc_nodes, is one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' > %t.out && FileCheck %s < %t.out && FileCheck --check-prefix=NONE %s < %t.out
// NONE-NOT: {{(xcharalloc|xpalloc|uv__reallocf) \(}}
// CHECK-DAG: in make_room (wrapper-gnulib.c:[[#@LINE+34]]) grows 10 times
// CHECK-DAG: in add_line (wrapper-gnulib.c:[[#@LINE+42]]) grows 99 times
// CHECK-DAG: in watch (wrapper-gnulib.c:[[#@LINE+47]]) grows 299 times
// CHECK-DAG: from xpalloc_nodes (wrapper-gnulib.c:[[#@LINE+25]]) are written and never read
#include <stdlib.h>
#include <string.h>

#define APART __attribute__((noinline)) static

APART char *xcharalloc(size_t size) { return malloc(size); }

APART void *xpalloc(void *old, size_t *count, size_t size) {
  *count += 64;
  return realloc(old, *count * size);
}

APART void *uv__reallocf(void *old, size_t size) {
  void *new = realloc(old, size);
  if (!new)
    free(old);
  return new;
}

struct node {
  long value, other[6];
};

APART struct node *xpalloc_nodes(long value) {
  struct node *made = calloc(3, sizeof *made);
  made->value = value;
  return made;
}

APART char *make_room(char *text, size_t used, size_t size) {
  char *more = xcharalloc(size);
  if (text)
    memcpy(more, text, used);
  free(text);
  return more;
}

APART long *add_line(long *lines, size_t *room, size_t line) {
  if (line == *room)
    lines = xpalloc(lines, room, sizeof *lines);
  lines[line] = (long)line;
  return lines;
}

APART int *watch(int *watchers, size_t most) {
  watchers = uv__reallocf(watchers, (most + 1) * sizeof *watchers);
  watchers[most] = (int)most;
  return watchers;
}

static struct node *nodes[300];

int main(void) {
  char *text = NULL;
  for (size_t size = 64, used = 0; size <= 1 << 16; used = size, size *= 2)
    memset((text = make_room(text, used, size)) + used, 'a', size - used);
  long *lines = NULL, sum = text[99];
  size_t room = 0;
  for (size_t i = 0; i < 6400; i++)
    lines = add_line(lines, &room, i);
  int *watchers = NULL;
  for (size_t i = 0; i < 300; i++)
    watchers = watch(watchers, i);
  for (size_t i = 0; i < 300; i++)
    nodes[i] = xpalloc_nodes((long)i);
  for (size_t i = 0; i < 300; i++)
    sum += lines[i] + watchers[i];
  for (size_t i = 0; i < 300; i++)
    free(nodes[i]);
  free(text), free(lines), free(watchers);
  return sum == 1;
}
