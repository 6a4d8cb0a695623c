/* linked.c - calls that the linker's optimiser would make one: their hooks, and what libc is asked, count each.
   Between them stands a call of another file, which turns out to do nothing once both are linked.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// REQUIRES: lld
// RUN: for lto in full thin; do for form in 0 1; do \
// RUN:   %clang_heapprof -O2 -flto=$lto -DOTHER -c %s -o %t.o && \
// RUN:   %clang_heapprof -g -O2 -flto=$lto -fuse-ld=lld -mllvm -heapprof-naive=$form %s %t.o -o %t && %run %t && \
// RUN:   %check_counts || { echo "$lto, $form"; exit 1; }; done; done
#ifdef OTHER
void stand_between(const void *p) { (void)p; }
#else
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TURNS 1000

void stand_between(const void *p);

/* Reads two values, which no pass can do once for all calls but by leaving calls out. */
__attribute__((noinline)) static long sum(const long *values, long wanted) {
  long found = values[0] * wanted;
  return found + values[found & 3];
}

/* And one that the program itself says to only read. */
__attribute__((noinline, pure)) static long own(const short *values,
                                                long wanted) {
  short found = values[wanted & 3];
  return found + values[found & 3];
}

int main(int argc, char **argv) {
  (void)argv;
  // POINT chunks=1 bytes=32 reads=4000 writes=0 accessed=8
  long *values = calloc(4, sizeof *values);
  // POINT chunks=1 bytes=8 reads=4000 writes=0 accessed=4
  short *shorts = calloc(4, sizeof *shorts);
  // POINT chunks=1 bytes=16 reads=2000 writes=0 accessed=1
  char *text = calloc(16, 1);
  if (!values || !shorts || !text)
    return 1;
  long all = 0;
  for (int i = 0; i < TURNS; i++) {
    all += sum(values, argc) + own(shorts, argc) + (long)strlen(text);
    stand_between(text);
    stand_between(shorts);
    all += sum(values, argc) + own(shorts, argc) + (long)strlen(text);
    stand_between(values);
    stand_between(shorts);
  }
  printf("%ld\n", all);
  free(values);
  free(shorts);
  free(text);
  return 0;
}
#endif
