// Counts of more than 32 bits, by hooks of every form: the thread and the guard
// that share a counter's word stay as they are, or the chunk would be damaged.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: for option in inline reuse=0 inline=0 naive; do \
// RUN:   %clang_heapprof -g -O2 -mllvm -heapprof-$option %s -o %t && \
// RUN:   %run %t 2>%t.err && %check_counts && not grep . %t.err \
// RUN:     || { echo "with $option"; exit 1; }; done
// OTHER chunks=0
#include <stdint.h>
#include <stdlib.h>

#define FAR 0xfffffffau

// Counts FAR reads and writes more of the chunk at P, where hook_abi.h says.
__attribute__((disable_sanitizer_instrumentation, noinline)) static void
count_far(const void *p) {
  const unsigned region = (unsigned)((uintptr_t)p >> 38);
  uint64_t *record = (uint64_t *)((uintptr_t)p >> region << region);
  record[0] += (uint64_t)FAR << 16;
  record[1] += FAR;
}

// Three reads and three writes.
__attribute__((noinline)) static void exchange(int *p, size_t i, size_t j,
                                               size_t k) {
  p[i] += 1;
  p[j] += p[i];
  p[k] += p[j];
}

// Enough chunks for most not to be exact, whose hooks are not inline.
int main(void) {
  for (uint32_t n = 0; n < 256; n++) {
    // POINT chunks=256 bytes=256*64 accessed=256*64 reads=256*(4294967290+6) writes=256*(4294967290+6+16)
    int *p = malloc(64);
    for (size_t i = 0; i < 16; i++)
      ((volatile int *)p)[i] = 0;
    count_far(p);
    exchange(p, 0, 5, 15);
    exchange(p, 15, 5, 0);
    free(p);
  }
  return 0;
}
