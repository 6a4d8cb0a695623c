/* contexts.c - getcontext and swapcontext write the context that they are given, swapcontext and setcontext read the other one,
   makecontext uses one with its stack: coroutines in the heap are used, and that is a fact.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: for o in -O0 -O2 "-O2 -mllvm -heapprof-naive"; do \
// RUN:   %clang_heapprof $o -g %s -o %t && %run %t && \
// RUN:   %python %S/../edge/Inputs/expectation.py --score=%heapprof_score --source=%s %dump && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | FileCheck %s || exit 1; done
// The coroutine's: getcontext, two accesses of its fields each, makecontext, a swapcontext there and one back.
// EXPECT: chunk(size=1000).hi == 968 and chunk(size=1000).lo == 0
// EXPECT: chunk(size=1000).writes == 6 and chunk(size=1000).reads == 3
// EXPECT: chunk(size=1008).writes == 2 and chunk(size=1008).reads == 2
// EXPECT: chunk(size=65536).lo == 0 and chunk(size=65536).hi == 65536
// EXPECT: chunk(size=65536).writes == 1 and chunk(size=65536).reads == 1
// CHECK-NOT: what is said of accesses
// CHECK-NOT: never read
#include <stdlib.h>
#include <ucontext.h>

static ucontext_t *back, *coroutine;

static void body(void) {
  swapcontext(coroutine, back);
  setcontext(back);
}

int main(void) {
  back = malloc(1008);
  coroutine = malloc(1000);
  if (!back || !coroutine || getcontext(coroutine) != 0)
    return 1;
  void *volatile stack = malloc(65536);
  coroutine->uc_stack.ss_sp = stack;
  coroutine->uc_stack.ss_size = 65536;
  coroutine->uc_link = NULL;
  makecontext(coroutine, body, 0);
  swapcontext(back, coroutine);
  swapcontext(back, coroutine);
  free(stack);
  free(coroutine);
  free(back);
  return 0;
}
