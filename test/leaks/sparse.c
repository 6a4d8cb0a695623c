/* sparse.c - large memory that was never touched is not read, nor what cannot be.
   As much as four times 16 GiB, a table of 1 GiB, and a page without permissions in the middle of a chunk.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t && %check_leaks
// LEAK main reachable=6
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static char *volatile large[4], *volatile guarded;
static volatile char table[(size_t)1 << 30];

int main(void) {
  for (int i = 0; i < 4; i++)
    large[i] = malloc((size_t)16 << 30);
  large[0][5] = 1;
  table[7] = 1;
  guarded = aligned_alloc(4096, (size_t)8 * 4096);
  *(void **)(guarded + 4096 * 5) = malloc(40);
  return mprotect(guarded + 4096, 4096, PROT_NONE) != 0;
}
