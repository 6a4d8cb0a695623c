// freed-by-wrapper.c - who frees is told past functions that only pass memory on to free, for whatever is made at several places.
// A destructor, which several call too, stays the one who frees: its line is for what one place makes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: rm -rf %t.d && mkdir %t.d
// RUN: for way in hooked plain; do \
// RUN:   build="%clang_heapprof"; run=; if [ $way = plain ]; then build=%clang; run=%heapprof_run; fi; \
// RUN:   cd %t.d && rm -rf heapprof.* && $build -O1 -g -fno-builtin -fno-optimize-sibling-calls %s -o app && $run ./app 2> err || exit 1; \
// RUN:   %heapprof_score --findings heapprof.app.* | tr -s '\n ' ' ' > out && FileCheck %s < out || { echo $way; cat out; exit 1; }; done
// CHECK-DAG: make_key (freed-by-wrapper.c:[[#]]) allocates {{[^:]*}}; freed by drop_key (freed-by-wrapper.c:[[#]]) and perhaps others:
// CHECK-DAG: make_line (freed-by-wrapper.c:[[#]]) allocates {{[^:]*}}; freed by drop_line (freed-by-wrapper.c:[[#]]) and perhaps others:
// CHECK-DAG: make_text (freed-by-wrapper.c:[[#]]) allocates {{[^:]*}}; freed by drop_text (freed-by-wrapper.c:[[#]]){{( and perhaps others)?}}:
// CHECK-DAG: make_node (freed-by-wrapper.c:[[#]]) allocates {{[^:]*}}; freed by node_free (freed-by-wrapper.c:[[#]]):
//
// With every free's stack it is known of all.
// RUN: cd %t.d && rm -rf heapprof.* && %clang_heapprof -O1 -g -fno-builtin %s -o app && HEAPPROF_OPTIONS=free_stacks=1 ./app
// RUN: cd %t.d && %heapprof_score --findings heapprof.app.* | tr -s '\n ' ' ' | FileCheck --check-prefix=ALL %s
// ALL: freed by drop_key (freed-by-wrapper.c:[[#]]):
#include <stdlib.h>

#define APART __attribute__((noinline))

static void *volatile last;
static int sum;

APART static void use(char *p) {
  p[0] = 1;
  last = p;
}

/* The wrapper, and what it calls by a pointer. */
APART static void release(void *p) {
  free(p);
  last = NULL;
}
static void (*volatile releaser)(void *) = release;
APART static void give(void *p) {
  if (p)
    releaser(p);
  last = NULL;
}

APART static char *make_key(void) {
  char *p = malloc(20);
  use(p);
  return p;
}
APART static char *make_line(void) {
  char *p = malloc(70);
  use(p);
  return p;
}
APART static char *make_page(void) {
  char *p = malloc(400);
  use(p);
  return p;
}
APART static void drop_key(char *p) {
  sum += p[0];
  give(p);
  last = NULL;
}
APART static void drop_line(char *p) {
  sum += p[0];
  give(p);
  last = NULL;
}
APART static void drop_page(char *p) {
  sum += p[0];
  give(p);
  last = NULL;
}

/* Of one place only, but called as free is. */
APART static char *make_text(void) {
  char *p = malloc(30);
  use(p);
  return p;
}
APART static void app_memfree(void *p) {
  free(p);
  last = NULL;
}
APART static void drop_text(char *p) {
  sum += p[0];
  app_memfree(p);
  last = NULL;
}

/* The destructor. */
APART static int *make_node(void) {
  int *p = malloc(48);
  use((char *)p);
  return p;
}
APART static void node_free(int *node) {
  sum += *(char *)node;
  free(node);
  last = NULL;
}
APART static void turn(int *node) {
  node_free(node);
  last = NULL;
}
APART static void leave(int *node) {
  node_free(node);
  last = NULL;
}

int main(void) {
  for (int i = 0; i < 2000; i++) {
    drop_key(make_key());
    drop_line(make_line());
    drop_page(make_page());
    drop_text(make_text());
    if (i % 2)
      turn(make_node());
    else
      leave(make_node());
  }
  return sum == 10000 ? 0 : 1;
}
