/* pages-oversized.c - chunks of a program without hooks of which most pages were never touched are too large; the twin's are not.
   What is only read counts as touched, and so does what the kernel writes.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// REQUIRES: gcc
// DEFINE: %{findings} = %heapprof_run --page-facts ./app 2> err && %heapprof_score --findings heapprof.* > text && tr -s '\n ' ' ' < text | FileCheck %s
// RUN: for cc in gcc %clang; do rm -rf %t && mkdir %t && cd %t && \
// RUN:   $cc -O2 -g %s -o app && %{findings} && %heapprof_score --json heapprof.* | FileCheck --check-prefix=JSON %s && rm -rf heapprof.* && \
// RUN:   $cc -O2 -g -DREPAIRED %s -o app && %{findings} --check-prefix=REPAIRED && rm -rf heapprof.* && \
// RUN:   $cc -O2 -g -DREADING %s -o app && %{findings} --check-prefix=REPAIRED && rm -rf heapprof.* || exit 1; done
// Of a run that took samples the numbers are estimates, and told so.
// RUN: cd %t && gcc -O2 -g %s -o app && %heapprof_run --page-facts --sample-every=2 --sample-seed=7 ./app 2> err && %heapprof_score --findings heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=SAMPLED %s
// CHECK: Likely:
// CHECK-SAME: 30 chunks of 2.00 MiB from make_buffer (pages-oversized.c:{{[0-9]+}}) are too large: 5 % of the bytes lie in pages that were ever touched (by pages)
// CHECK-SAME: -> Allocate less: 104 KiB per chunk were enough on average.
// CHECK-SAME: [low_coverage]
// JSON: "rule": "low_coverage", {{.*}}"certain": false, {{.*}}"by_pages": true
// REPAIRED-NOT: too large
// SAMPLED: ~{{[0-9]+}} chunks of {{~?}}2.00 MiB from make_buffer {{.*}} are too large: ~5 % of the bytes lie in pages that were ever touched (by pages)
#include <stdlib.h>
#include <string.h>

#define USED ((size_t)104 << 10)
#ifdef REPAIRED
#define SIZE ((size_t)160 << 10) /* large enough to be looked at */
#else
#define SIZE ((size_t)2 << 20)
#endif

__attribute__((noinline)) char *make_buffer(void) {
  char *volatile p = aligned_alloc(4096, SIZE);
  return p;
}

void *(*volatile set)(void *, int, size_t) = memset;

int main(void) {
  char *buffers[30];
  int sum = 0;
  for (int i = 0; i < 30; i++) {
    buffers[i] = make_buffer();
    set(buffers[i], 1, USED);
#ifdef READING
    for (size_t k = 0; k < SIZE; k += 4096)
      sum += *(volatile char *)(buffers[i] + k) == 2;
#endif
  }
  for (int i = 0; i < 30; i++)
    free(buffers[i]);
  return sum;
}
