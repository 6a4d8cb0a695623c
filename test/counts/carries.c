// Counters that become full in the middle of a function: hooks that follow each
// other leave it to the first of them to carry, and nothing is lost.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang_heapprof -g -O2 -mllvm -heapprof-stats %s -o %t 2>&1 \
// RUN:   | FileCheck %s --check-prefix=STATS
// RUN: %run %t && %check_counts
// RUN: for option in reuse=0 naive; do \
// RUN:   %clang_heapprof -g -O2 -mllvm -heapprof-$option %s -o %t && \
// RUN:   %run %t && %check_counts || { echo "with $option"; exit 1; }; done
// STATS: CarriesShared
// OTHER chunks=0
#include <stdint.h>
#include <stdlib.h>

#define FULL 0x80000000u

// The reads and writes of the chunk at P, as hook_abi.h says where.
__attribute__((disable_sanitizer_instrumentation, noinline)) static uint32_t *
counters(const void *p) {
  const unsigned region = (unsigned)((uintptr_t)p >> 38);
  return (uint32_t *)((uintptr_t)p >> region << region) + 2;
}

__attribute__((disable_sanitizer_instrumentation, noinline)) static void
count_so_far(const void *p, uint32_t count) {
  counters(p)[0] = counters(p)[1] = count;
}

__attribute__((disable_sanitizer_instrumentation, noinline)) static void
must_be_carried(const void *p) {
  if (counters(p)[0] >= FULL || counters(p)[1] >= FULL)
    abort();
}

// Three reads and three writes; the first of each carries for the others.
__attribute__((noinline)) static void exchange(int *p, size_t i, size_t j,
                                               size_t k) {
  p[i] += 1;
  p[j] += p[i];
  p[k] += p[j];
}

// Each hook in turn makes the counters full; also the last before the chunk
// ends.  Enough chunks for most not to be exact, whose hooks are not inline.
int main(void) {
  for (uint32_t n = 0; n < 256; n++) {
    // POINT chunks=256 bytes=256*64 accessed=256*64 reads=256*2147483642+32*28+256*6+128*3 writes=256*2147483642+32*28+256*6+128*3
    int *p = malloc(64);
    for (size_t i = 0; i < 16; i++)
      ((volatile int *)p)[i] = 0;
    count_so_far(p, FULL - 6 + n % 8);
    exchange(p, 0, 5, 15);
    exchange(p, 15, 5, 0);
    if (n % 16 < 8) {
      exchange(p, 7, 8, 9);
      must_be_carried(p);
    }
    free(p);
  }
  return 0;
}
