/* descriptors.c - a program that closes all descriptors, and counts on the numbers of new ones, is not disturbed.
   The log is written many times meanwhile, and whole.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O0 -g %s -o %t
// RUN: env HEAPPROF_OPTIONS=chunk_log=all:checkpoint_ms=1 %run %t
// RUN: %heapprof_score %dump | FileCheck %s
// CHECK: ended: exit with status 0
// CHECK: points 1, chunks 20000
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
  for (int i = 0; i < 64; i++)
    close(i);
  for (int i = 0; i < 20000; i++) {
    free(malloc((size_t)i % 77));
    if (i % 100 == 0) {
      int fd = open("/dev/null", O_RDONLY);
      if (fd != 0 || close(fd))
        return 1;
    }
  }
  return 0;
}
