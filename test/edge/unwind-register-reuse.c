/* unwind-register-reuse.c - a function whose register for frame pointers holds now the caller's, now a number.
   Its stacks are those of the unwind tables each time, also in the slow way.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: gcc -O2 -g -shared -fPIC -w -fomit-frame-pointer %S/Inputs/register_reuse.c -o %t.so
// RUN: %clang_heapprof -O1 -g %s -o %t %t.so && %env_heapprof_opts=check_stacks=1 %run %t 2>&1 | FileCheck %s
// RUN: %expect %dump
// RUN: %env_heapprof_opts=check_stacks=1:fast_unwind_on_malloc=0 %run %t 2>&1 | FileCheck %s
// CHECK: {{[1-9][0-9]*}} stacks compared, 0 differ
// CHECK-NOT: differ
#include <stdlib.h>
void *uc_make(int n, volatile int *again);
static volatile long sink;
__attribute__((noinline)) long uc_value(int n) { return n; }
__attribute__((noinline)) void uc_use(long x) { sink = x; }
__attribute__((noinline)) static void *once(int n) {
  volatile int again = n;
  void *p = uc_make(n, &again);
  sink++;
  return p;
}
int main(void) {
  for (int i = 0; i < 5; i++)
    free(once(i & 1));
  return 0;
}
// EXPECT: sum(p.chunks for p in points("uc_make") if "main" in [f.function for f in p.stack]) == 5
