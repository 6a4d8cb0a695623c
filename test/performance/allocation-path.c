/* allocation-path.c - the usual way through malloc and free: no locked instruction, as developer.md says of threads.
   Windows of a program are executed step by step. The smallest counts: at times a ring is emptied.
   A slow ticker, since who finds it late steps the coarse clock; no checkpoints, which would be stepped through.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   RUN: %clang -O1 %S/Inputs/count_instructions.c -o %t.count
   RUN: %clang_heapprof -O0 %s -o %t
   RUN: %env_heapprof_opts=tick_us=1000000:checkpoint_ms=0 %run %t.count %t | FileCheck %s
   CHECK: 5 windows: at least {{[0-9]+}} instructions, 0 locked

   Nor where next to nothing is a sample, though live bytes are counted.
   RUN: %env_heapprof_opts=tick_us=1000000:checkpoint_ms=0:sample_every=16777216 %run %t.count %t | FileCheck %s

   The counter sees a lock, with its prefix and without.
   RUN: %clang_heapprof -O0 -DLOCKED='__atomic_fetch_add' %s -o %t.prefix
   RUN: %env_heapprof_opts=tick_us=1000000:checkpoint_ms=0 %run %t.count %t.prefix | FileCheck --check-prefix=LOCKED %s
   RUN: %clang_heapprof -O0 -DLOCKED='__atomic_exchange_n' %s -o %t.exchange
   RUN: %env_heapprof_opts=tick_us=1000000:checkpoint_ms=0 %run %t.count %t.exchange | FileCheck --check-prefix=LOCKED %s
   LOCKED: 5 windows: at least {{[0-9]+}} instructions, 1 locked
 */
#include <stdlib.h>

static char *live[8];
static int counter;

static void pairs(int n) {
  for (int i = 0; i < n; i++) {
    free(live[i % 8]);
    live[i % 8] = malloc(32 + i % 64);
  }
}

/* All calls from one place: the first chunks of a point are another matter. */
int main(void) {
  for (int window = -100; window < 5; window++) {
    if (window >= 0)
      __asm__ volatile("int3");
    pairs(16);
#ifdef LOCKED
    LOCKED(&counter, 1, __ATOMIC_SEQ_CST);
#endif
    if (window >= 0)
      __asm__ volatile("int3");
  }
  return counter == -1;
}
