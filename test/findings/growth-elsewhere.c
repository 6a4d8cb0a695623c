// growth-elsewhere.c - two buffers that two functions begin and a third one makes larger still, and larger yet.
// Nobody knows whose buffers the third one has: it is told as a part of their growth, not as all of it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// CHECK: A buffer in link (growth-elsewhere.c:{{[0-9]+}}) grows 13 times, here and elsewhere, from 16 B to 128 KiB,
#include <stdlib.h>

struct section {
  char *bytes;
  size_t size, room;
};

__attribute__((noinline)) static void section_realloc(struct section *s,
                                                      size_t size) {
  s->room = s->room ? s->room : 16;
  while (s->room < size)
    s->room *= 2;
  s->bytes = realloc(s->bytes, s->room);
}

#define WRITES(name, count, step)                                              \
  __attribute__((noinline)) static void name(struct section *s) {              \
    for (int i = 0; i < (count); i++) {                                        \
      if (s->size == s->room)                                                  \
        section_realloc(s, s->size + 1);                                       \
      s->bytes[s->size++] = (char)(i + (step));                                \
    }                                                                          \
  }
WRITES(code, 4000, 0)
WRITES(data, 4000, 1)
WRITES(link, 100000, 2)

int main(void) {
  struct section text = {0}, rest = {0};
  code(&text);
  data(&rest);
  link(&text);
  int sum = 0;
  for (size_t i = 0; i < text.size; i++)
    sum += text.bytes[i];
  for (size_t i = 0; i < rest.size; i++)
    sum += rest.bytes[i];
  free(text.bytes);
  free(rest.bytes);
  return sum == 1;
}
