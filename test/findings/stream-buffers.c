// stream-buffers.c - what libc does later in buffers that streams were given, and where fmemopen was told to read and write, is not seen:
// they are neither unused nor written for nobody. Beside them, with -DFOR_NOBODY, texts that nobody reads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck %s
// CHECK-NOT: write_only
// CHECK-NOT: unused
// RUN: %clang_heapprof -O2 -g -DFOR_NOBODY %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=NOBODY %s
// NOBODY: Fact: 200 chunks of 1000 B (char) from write_text
// NOBODY-NOT: [unused]
// NOBODY: [write_only]
// NOBODY-NOT: {{only\]|unused\]}}
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 1000 };
static volatile char letter = 'a';
static volatile int sum;

__attribute__((noinline)) static char *text(void) {
  char *chunk = malloc(SIZE);
  for (int i = 0; i < SIZE; i++)
    chunk[i] = letter;
  return chunk;
}

__attribute__((noinline)) static void by_setvbuf(void) {
  char *buffer = malloc(SIZE);
  FILE *file = fopen("/dev/null", "w");
  setvbuf(file, buffer, _IOFBF, SIZE);
  for (int i = 0; i < SIZE; i++)
    putc_unlocked(letter, file);
  fclose(file);
  free(buffer);
}

__attribute__((noinline)) static void by_fmemopen(void) {
  char *written = malloc(SIZE), *given = text();
  FILE *file = fmemopen(written, SIZE, "w+");
  fputs("text", file);
  rewind(file);
  sum += fgetc(file);
  fclose(file);
  file = fmemopen(given, SIZE, "r");
  sum += fgetc(file);
  fclose(file);
  free(written);
  free(given);
}

__attribute__((noinline)) static char *write_text(void) {
  char *chunk = malloc(SIZE);
  for (int i = 0; i < SIZE; i++)
    chunk[i] = letter;
  return chunk;
}

int main(void) {
  for (int i = 0; i < 200; i++) {
    by_setvbuf();
    by_fmemopen();
#ifdef FOR_NOBODY
    free(write_text());
#endif
  }
  return 0;
}
