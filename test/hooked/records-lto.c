/* records-lto.c - records after link-time optimisation: code without hooks gets into none that has.
   The linker inlines; what opted out stays out, and so has no record.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// REQUIRES: lld
// RUN: for lto in full thin; do \
// RUN:   %clang_heapprof -O2 -flto=$lto -c %s -o %t.o && %clang_heapprof -O2 -flto=$lto -DSECOND -c %s -o %t.2.o && \
// RUN:   %clang_heapprof -O2 -flto=$lto -fuse-ld=lld %t.o %t.2.o -o %t && %run %t && \
// RUN:   %python %S/Inputs/hooked_functions.py %dump records-lto.c.tmp > %t.out && FileCheck %s < %t.out || exit 1; done
// CHECK-NOT: opted_out
// CHECK: {{^}}main{{$}}
// CHECK-NOT: opted_out
int opted_out(int *p);
#ifdef SECOND
__attribute__((disable_sanitizer_instrumentation)) int opted_out(int *p) {
  return p[0];
}
#else
#include <stdlib.h>
int main(void) {
  int *p = calloc(1, sizeof *p);
  int result = opted_out(p);
  free(p);
  return result;
}
#endif
