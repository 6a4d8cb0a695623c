// kept-below-peak.c - a text is kept while the program works on: freed after its last use it would save no more than the peak lies above what was live until then.
// Freed late. A higher peak behind the use falls by all of it, and a twin frees in time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O2 -g %s -o %t && %run %t 256
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %run %t 6144 && %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=HIGHER %s
// RUN: %clang_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired 256
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK: 1 chunk of 4.00 MiB (char) from make_text (kept-below-peak.c:[[#]]) is kept long after the last use; freed by main (kept-below-peak.c:[[#]]): 256 KiB of malloc's memory at the peak
// HIGHER: 1 chunk of 4.00 MiB (char) from make_text (kept-below-peak.c:[[#]]) is kept long after the last use; freed by main (kept-below-peak.c:[[#]]): 4.00 MiB of malloc's memory at the peak
// REPAIRED-NOT: make_text
#include <stdlib.h>
#include <string.h>

enum { TEXT = 4 << 20 };

__attribute__((noinline)) static char *make_text(void) {
  char *text = malloc(TEXT);
  memset(text, 'a', TEXT);
  return text;
}

__attribute__((noinline)) static long work(volatile int *cell) {
  long sum = 0;
  for (int i = 0; i < 400000000; i++)
    sum += *cell;
  return sum;
}

int main(int argc, char **argv) {
  int one = argc;
  const size_t more = (size_t)atoi(argv[1]) << 10;
  char *text = make_text();
  long sum = 0;
  for (int i = 0; i < TEXT; i++)
    sum += text[i];
#ifdef REPAIRED
  free(text);
#endif
  char *table = malloc(more);
  memset(table, 'b', more);
  sum += work(&one);
  for (size_t i = 0; i < more; i++)
    sum += table[i];
  free(table);
#ifndef REPAIRED
  free(text);
#endif
  return sum == 1;
}
