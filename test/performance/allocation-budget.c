/* allocation-budget.c - malloc and free take no more instructions than quick_chunk.h says, from call to return.
   Windows of sixteen calls are executed step by step; the smallest counts, as in allocation-path.c.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   RUN: %clang -O1 %S/Inputs/count_instructions.c -o %t.count
   RUN: %clang_heapprof -O1 -fno-builtin -DCALLS=mallocs %s -o %t.malloc
   RUN: %env_heapprof_opts=tick_us=1000000:checkpoint_ms=0 %run %t.count %t.malloc > %t.malloc.out
   RUN: %clang_heapprof -O1 -fno-builtin -DCALLS=frees %s -o %t.free
   RUN: %env_heapprof_opts=tick_us=1000000:checkpoint_ms=0 %run %t.count %t.free > %t.free.out
   RUN: %python %S/Inputs/call_budget.py %t.malloc.out %heapprof_source_dir/runtime/chunk/quick_chunk.h malloc 16 | FileCheck %s
   RUN: %python %S/Inputs/call_budget.py %t.free.out %heapprof_source_dir/runtime/chunk/quick_chunk.h free 16 | FileCheck %s
   CHECK: {{malloc|free}}: {{[0-9]+}} instructions of at most {{[0-9]+}}

   The check sees one that takes too long, a budget that is not there, and a count that is none.
   RUN: sed 's/at most [0-9]* instructions/at most 100 instructions/' %heapprof_source_dir/runtime/chunk/quick_chunk.h > %t.c
   RUN: not %python %S/Inputs/call_budget.py %t.malloc.out %t.c malloc 16 2>&1 | FileCheck --check-prefix=LONG %s
   RUN: not %python %S/Inputs/call_budget.py %t.free.out %t.c free 16 2>&1 | FileCheck --check-prefix=LONG %s
   LONG: {{malloc|free}}: {{[0-9]+}} instructions, but {{.*}} allows 100
   RUN: not %python %S/Inputs/call_budget.py %t.free.out %s free 16 2>&1 | FileCheck --check-prefix=NONE %s
   NONE: no budget of free in {{.*}}allocation-budget.c
   RUN: not %python %S/Inputs/call_budget.py %t.c %t.c free 16 2>&1 | FileCheck --check-prefix=COUNT %s
   COUNT: {{.*}}: says of no window how many instructions it took
 */
#include <stdlib.h>

#ifndef WINDOWS
#define WINDOWS 5
#endif

static char *live[16];

__attribute__((noinline)) static void mallocs(void) {
  for (int i = 0; i < 16; i++)
    live[i] = malloc(32 + i % 64);
}

__attribute__((noinline)) static void frees(void) {
  for (int i = 0; i < 16; i++)
    free(live[i]);
}

/* All calls from one place: the first chunks of a point are another matter, so that
   none of these functions may be built into main once with a window and once without. */
__attribute__((noinline)) static void call(void (*calls)(void), int is_window) {
  if (is_window)
    __asm__ volatile("int3");
  calls();
  if (is_window)
    __asm__ volatile("int3");
}

int main(void) {
  for (int window = -20; window < WINDOWS; window++) {
    call(mallocs, window >= 0 && CALLS == mallocs);
    call(frees, window >= 0 && CALLS == frees);
  }
  return 0;
}
