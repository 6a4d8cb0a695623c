/* pages-oversized.c - chunks of a program without hooks of which most pages were never touched take no memory there: less gains nothing.
   How much was touched is told of the point; what is only read counts, and so does what the kernel writes.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// REQUIRES: gcc
// DEFINE: %{findings} = %heapprof_run --page-facts ./app 2> err && %heapprof_score --findings heapprof.* > text && tr -s '\n ' ' ' < text | FileCheck %s
// DEFINE: %{json} = %heapprof_score --json heapprof.* | FileCheck
// RUN: for cc in gcc %clang; do rm -rf %t && mkdir %t && cd %t && \
// RUN:   $cc -O2 -g %s -o app && %{findings} && %{json} --check-prefix=JSON %s && rm -rf heapprof.* && \
// RUN:   $cc -O2 -g -DREPAIRED %s -o app && %{findings} && %{json} --check-prefix=JSON %s && rm -rf heapprof.* && \
// RUN:   $cc -O2 -g -DREADING %s -o app && %{findings} && %{json} --check-prefix=READ %s && rm -rf heapprof.* || exit 1; done
// CHECK: peak {{.*}} resident)
// CHECK: no findings
// 30 of 104 KiB, on pages.
// JSON: "peak_touched_bytes": {{31[0-9][0-9][0-9][0-9][0-9]}},
// READ: "peak_touched_bytes": {{62914560}},
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
