// resized.c - from which size to which the chunks of a point were resized, however the chunk that follows came about.
// A thinned log has both chunks of some, which are counted as they are; how many were resized is exact.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O1 -g %s -o %t
// RUN: for log in all budget:chunk_log_point=64 none; do %env_heapprof_opts=chunk_log=$log %run %t || exit 1; \
// RUN:   %heapprof_report --json %dump/heapprof.* > %t.report && \
// RUN:   %python %S/../score/check_schema.py %heapprof_source_dir/docs/heapprof.report.schema.json %t.report > /dev/null && \
// RUN:   %python %S/Inputs/resized.py %t.report || exit 1; done > %t.out
// RUN: FileCheck %s < %t.out
// CHECK:      first: 110, all: 100 B 20 B x100, 20 B 3000 B x10
// CHECK-NEXT: grown: 20, all: 8 B 16 B x10, 16 B 32 B x10
// CHECK-NEXT: never: none
// CHECK-NEXT: first: 110, a part
// CHECK-NEXT: grown: 20, {{all: 8 B 16 B x10, 16 B 32 B x10|a part}}
// CHECK-NEXT: never: none
// CHECK-NEXT: first: 110, none logged
// CHECK-NEXT: grown: 20, none logged
// CHECK-NEXT: never: none
#include <stdlib.h>

// Each of these is one point: the chunks that realloc begins are of the point of its call.
__attribute__((noinline)) static char *shrink(char *chunk) {
  char *small = realloc(chunk, 20);
  small[0] = 1;
  return small;
}

__attribute__((noinline)) static char *enlarge(char *chunk) {
  char *large = realloc(chunk, 3000);
  large[0] = 1;
  return large;
}

int main(void) {
  for (int i = 0; i < 100; i++) {
    char *first = malloc(100);
    first[0] = 1;
    char *second = shrink(first);
    if (i % 10 == 0)
      second = enlarge(second);
    free(second);
  }
  for (int i = 0; i < 10; i++) {
    char *grown = NULL;
    for (size_t size = 8; size <= 32; size *= 2) {
      grown = realloc(grown, size);
      grown[0] = 1;
    }
    free(grown);
    char *never = malloc(5);
    never[0] = 1;
    free(never);
  }
  return 0;
}
