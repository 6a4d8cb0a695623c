// malloc-tuning.c - mallopt gives the results of glibc's, and tunables in the environment change nothing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang -w -fno-builtin %s -o %t.plain && %t.plain > %t.expected
// RUN: %clang_heapprof -w -fno-builtin %s -o %t && %run %t | diff %t.expected -
// RUN: GLIBC_TUNABLES=glibc.malloc.check=3:glibc.malloc.tcache_count=0:glibc.malloc.perturb=165 %run %t 2>&1 | diff %t.expected -
// RUN: MALLOC_PERTURB_=165 MALLOC_ARENA_MAX=1 MALLOC_CHECK_=3 MALLOC_MMAP_THRESHOLD_=1 %run %t 2>&1 | diff %t.expected -
#include <limits.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  static const int parameters[] = {
      M_MXFAST,     M_NLBLKS,         M_GRAIN,
      M_KEEP,       M_TRIM_THRESHOLD, M_TOP_PAD,
      M_MMAP_MAX,   M_CHECK_ACTION,   M_PERTURB,
      M_ARENA_TEST, M_ARENA_MAX,      M_MMAP_THRESHOLD,
      12345};
  static const int values[] = {
      INT_MIN, -1, 0, 1, 80, 160, 161, 4096, 1 << 25, (1 << 25) + 1, INT_MAX};
  for (int i = 0; i < sizeof parameters / sizeof *parameters; i++)
    for (int k = 0; k < sizeof values / sizeof *values; k++)
      if (parameters[i] != M_PERTURB && parameters[i] != M_MMAP_MAX)
        printf("%d %d: %d\n", parameters[i], values[k],
               mallopt(parameters[i], values[k]));
  // Who uses all that malloc_usable_size grants has what was asked for at least.
  for (size_t n = 0; n < 300000; n = n * 3 + 1) {
    char *p = malloc(n);
    size_t usable = malloc_usable_size(p);
    memset(p, 1, usable);
    p = realloc(p, usable + 1);
    printf("%zu: %d %d\n", n, usable >= n, !usable || p[usable - 1] == 1);
    free(p);
  }
  return 0;
}
