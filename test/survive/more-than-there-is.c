// more-than-there-is.c - a chunk larger than all memory is refused where the system refuses it, and given where it gives it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang -w -fno-builtin -O1 %s -o %t.plain && %t.plain > %t.expected
// RUN: %clang_heapprof -w -fno-builtin -O1 %s -o %t
// RUN: for opts in "" sample_every=3; do %env_heapprof_opts=$opts %run %t > %t.out 2> %t.err && \
// RUN:   diff %t.expected %t.out && count 0 < %t.err || exit 1; done
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  for (size_t n = (size_t)1 << 20; n <= (size_t)1 << 37; n *= 2) {
    errno = 0;
    char *p = malloc(n);
    int reason = errno;
    if (p)
      p[0] = p[n - 1] = 1;
    printf("%zu: %d, errno %d\n", n, p != NULL, p ? 0 : reason);
    free(p);
    p = calloc(n, 1);
    printf("%zu zeroed: %d\n", n, p != NULL);
    free(p);
  }
  return 0;
}
