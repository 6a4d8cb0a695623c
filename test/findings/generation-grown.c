// generation-grown.c - each turn of request() has a list that grows once by realloc, from what is all there at the time:
// what realloc ended goes on, so that it ends no turn.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// CHECK: Likely: Each turn of main (generation-grown.c:[[#]]) makes anew what is gone by the next: chunks of 2 points,
// CHECK-SAME: at least 300 turns of it,
// CHECK-SAME: [generation]
#include <stdlib.h>
#include <string.h>

#define APART __attribute__((noinline))

struct message {
  char *text;
  const char **words;
  int count, room;
};

APART static void add(struct message *m, const char *word) {
  if (m->count == m->room) {
    m->room = m->room ? m->room * 2 : 4;
    m->words = realloc(m->words, (size_t)m->room * sizeof *m->words);
  }
  m->words[m->count++] = word;
}

APART static char *copy_of(const char *text) {
  char *copy = malloc(strlen(text) + 1);
  return strcpy(copy, text);
}

APART static void parse(struct message *m, const char *text) {
  *m = (struct message){0};
  for (int i = 0; i < 6; i++)
    add(m, text + i);
  m->text = copy_of(text);
}

APART static size_t drop(struct message *m) {
  size_t length = strlen(m->text);
  for (int i = 0; i < m->count; i++)
    length += (size_t)*m->words[i];
  free(m->words);
  free(m->text);
  return length;
}

int main(void) {
  size_t length = 0;
  for (int i = 0; i < 300; i++) {
    struct message m;
    parse(&m, "a message of some words");
    length += drop(&m);
  }
  return length == 7;
}
