// A wrapper gives its chunk the type that its caller asks for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: %clang_heapprof -O2 %s -o %t && %run %t && %check_types
#include "rows.h"
#include <malloc.h>
#include <stdio.h>

__attribute__((noinline)) void *xmalloc(size_t n) {
  void *p = malloc(n);
  if (!p)
    abort();
  return p;
}

// Keeps the size before the chunk, which it takes for an array of numbers.
__attribute__((noinline)) void *with_size(size_t n) {
  long *p = malloc(n + sizeof(long));
  *p = (long)n;
  keep(p);
  return p + 1;
}

// Allocates something of its own first: which of the two the caller meant is
// not known, and a wrong type is worse than none.
__attribute__((noinline)) void *with_log(size_t n) {
  struct R *line = malloc(301); // TYPE 301 argument R
  keep(line);
  return xmalloc(n);
}

// What it allocates for itself has no part in what the caller asks for.
static void *block;
__attribute__((noinline)) void *with_pool(size_t n) {
  block = malloc(302); // TYPE 302 -
  keep(block);
  size_t rounded = (n ? n : 1) + 7;
  rounded &= ~(size_t)7;
  return xmalloc(rounded);
}

// A file and a line of output: memory that libc allocates for itself.
__attribute__((noinline)) void *with_file(size_t n) {
  FILE *file = fopen("/dev/null", "w");
  if (!file)
    abort();
  fprintf(file, "%zu bytes\n", n);
  keep(file);
  return malloc(n);
}

// A block for many is not an object of the first who asks.
__attribute__((noinline)) void *arena(size_t n) {
  return xmalloc(n > 4096 ? n : 4096);
}

// What the memory says of itself is no size that was asked for.
__attribute__((noinline)) void *counting(size_t n, size_t *usable) {
  void *p = malloc(n);
  n = malloc_usable_size(p);
  *usable += n;
  return p;
}

// The numbers are what they are, whoever asks.
__attribute__((noinline)) void *numbers(size_t n) {
  int *p = malloc(n * sizeof(int));
  keep(p);
  return p;
}

int main(void) {
  struct Q *q = xmalloc(304); // TYPE 304 wrapper Q
  keep(q);
  keep((struct R *)xmalloc(305));       // TYPE 305 wrapper R
  keep(xmalloc(13 * sizeof(struct R))); // TYPE 312 wrapper R = 13 of 24
  struct R *sized = with_size(306);     // TYPE 314 wrapper R
  keep(sized);
  void *unsaid = with_size(307); // TYPE 315 -
  keep(unsaid);
  struct Q *logged = with_log(308); // TYPE 308 -
  keep(logged);
  struct Q *pooled = with_pool(330); // TYPE 336 wrapper Q
  keep(pooled);
  struct Q *filed = with_file(331); // TYPE 331 wrapper Q
  // TYPE 472 symbol FILE
  // TYPE 4096 symbol stdio buffer
  keep(filed);
  struct Q *first = arena(310); // TYPE 4096 -
  keep(first);
  size_t usable = 0;
  struct R *summed = counting(332, &usable); // TYPE 332 wrapper R
  keep(summed);
  struct Q *counted = numbers(79); // TYPE 316 argument int
  keep(counted);
  void *unasked = xmalloc(317); // TYPE 317 -
  keep(unasked);
  return 0;
}
