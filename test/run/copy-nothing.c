/* copy-nothing.c - no byte is copied, from and to places beside a chunk that no one has: nothing is read there.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: gcc -O1 -fno-builtin %s -o %t && %t | FileCheck %s
// RUN: rm -rf %t.d && %heapprof_run --quiet -o %t.d %t | FileCheck %s
// RUN: %heapprof_clang -O1 %s -o %t.hooked
// RUN: env HEAPPROF_OPTIONS=dump_dir=%t.d %t.hooked | FileCheck %s
// CHECK: all is as it was
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL = 64, LARGE = 20000, LEAST_SHIFT = 20, MOST_SHIFT = 40 };

static volatile size_t nothing;
static char *volatile chunk;

int main(void) {
  char here[SMALL] = "as it was";
  for (size_t size = SMALL; size <= LARGE; size += LARGE - SMALL) {
    chunk = malloc(size);
    for (unsigned shift = LEAST_SHIFT; shift < MOST_SHIFT; shift++) {
      char *away = chunk + ((size_t)1 << shift);
      memcpy(away, here, nothing);
      memcpy(here, away, nothing);
      memmove(away, chunk, nothing);
      memmove(chunk, away, nothing);
    }
    free(chunk);
  }
  printf("all is %s\n", here);
  return 0;
}
