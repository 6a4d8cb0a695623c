// not-asked.c - functions that return memory and are given numbers, which are no sizes: what a format prints, and how many of something else.
// What they allocate on the way to what they return is not of its type: of the first nobody asks for memory, of the second a record in fewer bytes than it has.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: %clang_heapprof -O0 %s -o %t && %run %t && %check_types
// RUN: %clang_heapprof -O2 %s -o %t && %run %t && %check_types
#include "rows.h"
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

struct named {
  long number;
  char name[8];
};

static struct R of_reply;

/* As sds has its texts: the memory begins ahead of them. */
__attribute__((noinline)) static char *make_text(size_t length) {
  void *head = malloc(length + 1); // TYPE 343 -
  if (!head)
    abort();
  keep(head);
  return head;
}

/* As hiredis's redisCommand: writes a text, sends it, and returns the reply. */
__attribute__((noinline)) static void *command(const char *format, ...) {
  va_list list;
  va_start(list, format);
  char *text = make_text(342);
  text[0] = (char)va_arg(list, int);
  va_end(list);
  return &of_reply;
}

__attribute__((noinline)) static void *reply_to(int number) {
  char *text = make_text((size_t)number);
  text[0] = '!';
  return &of_reply;
}

__attribute__((noinline)) static void *xmalloc(size_t n) {
  void *p = malloc(n);
  if (!p)
    abort();
  return p;
}

int main(void) {
  struct R *sent = command("SET %d", 7);
  keep(sent);
  struct R *small = reply_to(16); // TYPE 17 -
  keep(small);
  struct R *large = reply_to(344); // TYPE 345 wrapper R
  keep(large);
  // A name of two letters: the record is a little larger than what it needs.
  struct named *named =
      xmalloc(offsetof(struct named, name) + 3); // TYPE 11 wrapper named
  keep(named);
  return sizeof(struct R) != 24;
}
