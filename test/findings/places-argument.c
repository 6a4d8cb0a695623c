// places-argument.c - a text that is copied for a call on the same line, f(strdup(text)), is made where that stands,
// whatever the functions called there make: they have several types, which the line does not pass on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings --limit=0 %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// CHECK: Fact: 20 chunks of 6 B (char) from parse (places-argument.c:[[#]]) are lost
#include <stdlib.h>
#include <string.h>

struct label {
  int width;
};
struct font {
  long size, height;
};
struct span {
  double from, to, at;
};
struct node {
  struct label *label;
  struct font *font;
  struct span *span;
};

/* Its callers say what they want. */
__attribute__((noinline)) static void *make(size_t size) {
  void *made = malloc(size);
  if (!made)
    abort();
  return made;
}

/* Looks at the text, and keeps none of it. */
__attribute__((noinline)) static void label(struct node *node,
                                            const char *text) {
  node->label = make(sizeof *node->label);
  node->font = make(sizeof *node->font);
  node->span = make(sizeof *node->span);
  node->label->width = (int)strlen(text);
  node->font->size = node->font->height = text[0];
  node->span->from = node->span->to = node->span->at = text[1];
}

__attribute__((noinline)) static void parse(struct node *node,
                                            const char *text) {
  label(node, strdup(text));
}

#define CALLS(name, other)                                                     \
  __attribute__((noinline)) static void name(struct node *node,                \
                                             const char *text) {               \
    other(node, text);                                                         \
  }
CALLS(record, parse)
CALLS(shape, record)
CALLS(draw, shape)
CALLS(place, draw)
CALLS(layout, place)
CALLS(page, layout)

__attribute__((noinline)) static void run(struct node *nodes) {
  for (int i = 0; i < 20; i++)
    page(&nodes[i], "hello");
}

int main(void) {
  struct node nodes[20];
  run(nodes);
  double sum = 0;
  for (int i = 0; i < 20; i++) {
    sum += nodes[i].label->width + nodes[i].span->at + nodes[i].span->to +
           nodes[i].span->from;
    sum += (double)(nodes[i].font->size + nodes[i].font->height);
    free(nodes[i].label);
    free(nodes[i].font);
    free(nodes[i].span);
  }
  return sum == 1;
}
