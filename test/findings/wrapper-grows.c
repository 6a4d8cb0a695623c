// wrapper-grows.c - a function of C that makes room for two others is no place to change anything, nor is one called as asprintf.
// One that is called from one line is: who is told is the function that grows. The twin is repaired: the texts have their size at once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' > %t.out && FileCheck %s < %t.out && FileCheck --check-prefix=NONE %s < %t.out
// NONE-NOT: {{(strbuf_grow|sdsMakeRoomFor|text_asprintf) \(|(from|in|by|also:) sdscat \(}}
// RUN: %clang_heapprof -O1 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK-DAG: in add_words (wrapper-grows.c:[[#]]) grows 200 times
// CHECK-DAG: in add_lines (wrapper-grows.c:[[#]]) grows 100 times
// CHECK-DAG: in add_name (wrapper-grows.c:[[#]]) grows 100 times
// CHECK-DAG: in add_title (wrapper-grows.c:[[#]]) grows 50 times
// CHECK-DAG: in extend_alone (wrapper-grows.c:[[#]]) grows 100 times
// CHECK-DAG: number_text (wrapper-grows.c:[[#]]) calls a library, which allocates char{{[^:]*}}; freed by number_text (wrapper-grows.c:[[#]])
// REPAIRED-NOT: [growing]
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define APART __attribute__((noinline))

struct text {
  char *bytes;
  size_t used, room;
};

APART static void strbuf_grow(struct text *text, size_t by) {
  if (text->room - text->used >= by)
    return;
  text->room = text->used + by;
  text->bytes = realloc(text->bytes, text->room);
}

APART static void extend_alone(struct text *text) {
  text->room += 32;
  text->bytes = realloc(text->bytes, text->room);
}

static void add(struct text *text, size_t count) {
  memset(text->bytes + text->used, 'a', count);
  text->used += count;
}

APART static long end(struct text *text) {
  long sum = 0;
  for (size_t i = 0; i < text->used; i++)
    sum += text->bytes[i];
  free(text->bytes);
  return sum;
}

#ifdef REPAIRED
#define ROOM(most) {malloc(most), 0, most}
#else
#define ROOM(most) {malloc(16), 0, 16}
#endif

APART static long add_words(void) {
  struct text text = ROOM(8000);
  for (int i = 0; i < 200; i++) {
    strbuf_grow(&text, 40);
    add(&text, 40);
  }
  return end(&text);
}

APART static long add_lines(void) {
  struct text text = ROOM(8000);
  for (int i = 0; i < 100; i++) {
    strbuf_grow(&text, 80);
    add(&text, 80);
  }
  return end(&text);
}

/* As in the strings of Redis, whose sdscat is called from everywhere. */
APART static void sdsMakeRoomFor(struct text *text, size_t by) {
  text->room = text->used + by;
  text->bytes = realloc(text->bytes, text->room);
}

APART static void sdscat(struct text *text, size_t count) {
  if (text->room - text->used < count)
    sdsMakeRoomFor(text, count);
  add(text, count);
}

APART static long add_name(void) {
  struct text text = ROOM(4000);
  for (int i = 0; i < 50; i++) {
    sdscat(&text, 40);
    sdscat(&text, 30);
  }
  return end(&text);
}

APART static long add_title(void) {
  struct text text = ROOM(4000);
  for (int i = 0; i < 25; i++) {
    sdscat(&text, 40);
    sdscat(&text, 30);
  }
  return end(&text);
}

APART static long add_numbers(void) {
  struct text text = ROOM(3216);
  while (text.used < 3200) {
#ifndef REPAIRED
    extend_alone(&text);
#endif
    add(&text, 32);
  }
  return end(&text);
}

APART static char *text_asprintf(const char *format, ...) {
  va_list list;
  char *text;
  va_start(list, format);
  if (vasprintf(&text, format, list) < 0)
    abort();
  va_end(list);
  return text;
}

APART static long number_text(int number) {
  char *text = text_asprintf("number %d", number);
  const long sum = text[7];
  free(text);
  return sum;
}

int main(void) {
  long sum =
      add_words() + add_lines() + add_name() + add_title() + add_numbers();
  for (int i = 0; i < 1000; i++)
    sum += number_text(i);
  return sum == 1;
}
