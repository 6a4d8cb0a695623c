// no-type.c - texts that a wrapper returns as int *, which tells a type that chunks of 41 bytes cannot have; its twin has
// arrays of int, whose type is told.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clang_heapprof -O2 -g -DNUMBERS %s -o %t.numbers && %run %t.numbers
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=NUMBERS %s
// CHECK: Fact: 2000 chunks of 41 B from read_word (no-type.c:[[#]]) are written and never read
// CHECK-NOT: (int)
// NUMBERS: Fact: 2000 chunks of 40 B (int) from read_word (no-type.c:[[#]]) are written and never read
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef NUMBERS
#define SIZE 40
#else
#define SIZE 41
#endif

__attribute__((noinline)) static int *check_malloc(size_t size) {
  int *got = (int *)malloc(size);
  if (!got)
    exit(1);
  return got;
}

static char *volatile words[2000];

__attribute__((noinline)) static void read_word(int i) {
  char *word = (char *)check_malloc(SIZE);
  memset(word, i & 63, SIZE);
  words[i] = word;
}

int main(void) {
  for (int i = 0; i < 2000; i++)
    read_word(i);
  for (int i = 0; i < 2000; i++)
    free(words[i]);
  return 0;
}
