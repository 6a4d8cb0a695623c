// grow-by-hand.c - a buffer that realloc makes longer a line at a time, and its twin of the final size.
// Growth in C; the copies are those that realloc may make.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clang_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK: Fact:
// CHECK-SAME: A buffer in append (grow-by-hand.c:{{[0-9]+}}) grows
// CHECK-SAME: -> Double the size each time
// CHECK-SAME: [growing]
// REPAIRED: no findings
#include <stdlib.h>
#include <string.h>

#ifdef REPAIRED
#define STEP (1 << 20)
#else
#define STEP 512
#endif

struct text {
  char *bytes;
  size_t size, room;
};

__attribute__((noinline)) void append(struct text *text, const char *line) {
  size_t length = strlen(line);
  if (text->size + length > text->room) {
    text->room += STEP;
    text->bytes = realloc(text->bytes, text->room);
  }
  memcpy(text->bytes + text->size, line, length);
  text->size += length;
}

int main(void) {
  struct text text = {0};
  for (int i = 0; i < 40000; i++)
    append(&text, "a line of a text file\n");
  long sum = 0;
  for (size_t i = 0; i < text.size; i++)
    sum += text.bytes[i];
  free(text.bytes);
  return sum == 0;
}
