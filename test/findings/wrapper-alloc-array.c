// wrapper-alloc-array.c - what allocates and ends in array, as FLAC's memory_alloc_aligned_int64_array, is told as its caller's, who says how long, also if that is one.
// What only says array is no such.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' > %t.out && FileCheck %s < %t.out && FileCheck --check-prefix=NONE %s < %t.out
// NONE-NOT: alloc_aligned_long_array (
// CHECK-DAG: from resize_buffers (wrapper-alloc-array.c:[[#@LINE+33]]) are never read nor written
// CHECK-DAG: from sums_array (wrapper-alloc-array.c:[[#@LINE+22]]) are written and never read
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define APART __attribute__((noinline))

static APART bool memory_alloc_aligned_long_array(size_t elements,
                                                  long **unaligned,
                                                  long **aligned) {
  if (elements > SIZE_MAX / sizeof(long) - 8)
    return false;
  long *made = malloc(elements * sizeof(long) + 31);
  if (!made)
    return false;
  free(*unaligned);
  *unaligned = made;
  *aligned = (long *)(((uintptr_t)made + 31) & ~(uintptr_t)31);
  return true;
}

static APART char *sums_array(size_t count) {
  char *sums = calloc(count, 1);
  for (size_t i = 0; i < count; i++)
    sums[i] = (char)i;
  return sums;
}

static long *unaligned[200], *aligned[200];
static char *sums[200];

static APART bool resize_buffers(size_t size, int of) {
  return memory_alloc_aligned_long_array(size, &unaligned[of], &aligned[of]);
}

int main(void) {
  for (int i = 0; i < 200; i++) {
    if (!resize_buffers(100, i))
      abort();
    sums[i] = sums_array(300);
  }
  for (int i = 0; i < 200; i++) {
    free(unaligned[i]);
    free(sums[i]);
  }
  return 0;
}
