// grows-unread.c - what a buffer has grown to in the end is not read, and told as such: how far it grew is said of all of it.
// The twin reads it: then all its chunks grow, as before.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clang_heapprof -O1 -g -DREAD %s -o %t.read && %run %t.read
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=READ %s
// CHECK-DAG: Fact: 1 chunk of 64.0 KiB (char) from write_text (grows-unread.c:[[#]]) is written and never read
// CHECK-DAG: Fact: A buffer in write_text (grows-unread.c:[[#]]) grows 12 times, from 16 B to 64.0 KiB{{.*}} here 64.0 KiB
// READ-NOT: never read
// READ: Fact: A buffer in write_text (grows-unread.c:[[#]]) grows 12 times, from 16 B to 64.0 KiB
#include <stdlib.h>
#include <string.h>

#define APART __attribute__((noinline))
#define END 40000

static char *text;
static size_t used, room;

APART static void write_text(const char *word, size_t size) {
  if (used + size > room) {
    const size_t larger = room ? 2 * room : 16;
    char *copy = malloc(larger);
    if (used)
      memcpy(copy, text, used);
    free(text);
    text = copy;
    room = larger;
  }
  memcpy(text + used, word, size);
  used += size;
}

/* Two ways there, and the second makes the last chunk only. */
APART static void write_words(void) {
  while (used < END / 2)
    write_text("a word, ", 8);
}

APART static void write_lines(void) {
  while (used < END)
    write_text("a line.\n", 8);
}

int main(void) {
  write_words();
  write_lines();
#ifdef READ
  if (memchr(text, 'q', used))
    return 1;
#endif
  free(text);
  return 0;
}
