// copies.c - buffers that grow by hand in all the ways there are, and whether each copy was seen.
// memcpy, memmove to a place further on, strcpy and strcat, a loop, realloc with a step back, sites that take turns.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clang_heapprof -O0 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefixes=CHECK,LOOP %s
// CHECK-DAG: Fact: 20 buffers in append (copies.c:{{[0-9]+}}) grow 30 times each, from 16 B to 496 B, and are copied each time: 600 allocations{{[^,]*}}, 145 KiB copied
// CHECK-DAG: Fact: A buffer in prepend (copies.c:{{[0-9]+}}) grows 499 times, from 16 B to 7.81 KiB, and is copied each time: 499 allocations{{[^,]*}}, 1.90 MiB copied
// CHECK-DAG: Fact: A buffer in join (copies.c:{{[0-9]+}}) grows 399 times, from 6 B to 2.34 KiB, and is copied each time: 399 allocations
// CHECK-DAG: Fact: 100 buffers in resize (copies.c:{{[0-9]+}}) grow up to 6 times, from 32 B to 2.00 KiB, others to 4.00 KiB, and are copied each time that realloc finds no room behind them: 500 allocations{{[^,]*}}, 286 KiB copied
// LOOP-DAG: Likely: 30 buffers in by_loop (copies.c:{{[0-9]+}}) grow 7 times each, from 32 B to 4.00 KiB, and are copied each time: 210 allocations{{[^,]*}}, 119 KiB copied
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))

NOINLINE static char *append(char *old, size_t size, size_t more) {
  char *new = malloc(size + more);
  if (old)
    memcpy(new, old, size);
  memset(new + size, (int)size, more);
  free(old);
  return new;
}

NOINLINE static char *prepend(char *old, size_t size, size_t more) {
  char *new = malloc(size + more);
  memset(new, (int)size, more);
  if (old)
    memmove(new + more, old, size);
  free(old);
  return new;
}

NOINLINE static char *join(char *old, const char *more) {
  char *new = malloc((old ? strlen(old) : 0) + strlen(more) + 1);
  if (old)
    strcpy(new, old);
  else
    *new = 0;
  strcat(new, more);
  free(old);
  return new;
}

/* 32, 64, ... 2048, then 256, and up again to 4096: a step back ends a chain. */
NOINLINE static char *resize(char *old, size_t size) {
  char *new = realloc(old, size);
  memset(new, 1, size);
  return new;
}

/* A loop, which the compiler takes for what it is, unless it is told not to. */
NOINLINE static long *by_loop(long *old, size_t count, size_t most) {
  long *new = malloc(most * sizeof *new);
  for (size_t i = 0; i < count; i++)
    new[i] = old[i];
  free(old);
  return new;
}

int main(void) {
  char *buffers[20] = {0};
  long sum = 0;
  for (size_t step = 0; step < 31; step++)
    for (size_t i = 0; i < 20; i++)
      buffers[i] = append(buffers[i], 16 * step, 16);
  for (size_t i = 0; i < 20; i++)
    sum += buffers[i][100];

  char *front = NULL;
  for (size_t step = 0; step < 500; step++)
    front = prepend(front, 16 * step, 16);
  sum += front[5];

  char *text = NULL;
  for (int i = 0; i < 400; i++)
    text = join(text, i ? "+ more" : "first");
  sum += (long)strlen(text);

  for (int turn = 0; turn < 50; turn++) {
    char *resized = NULL;
    for (size_t size = 32; size <= 2048; size *= 2)
      resized = resize(resized, size);
    for (size_t size = 256; size <= 4096; size *= 2)
      resized = resize(resized, size);
    sum += resized[7];
    free(resized);
  }

  for (int turn = 0; turn < 30; turn++) {
    size_t count = 0, most = 0;
    long *numbers = NULL;
    for (long k = 0; k < 500; k++) {
      if (count == most)
        numbers = by_loop(numbers, count, most = most ? 2 * most : 4);
      numbers[count++] = k * k;
    }
    for (size_t i = 0; i < count; i++)
      sum += numbers[i];
    free(numbers);
  }

  for (size_t i = 0; i < 20; i++)
    free(buffers[i]);
  free(front);
  free(text);
  printf("%ld\n", sum);
  return 0;
}
