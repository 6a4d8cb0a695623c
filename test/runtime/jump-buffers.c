/* jump-buffers.c - setjmp writes its buffer and longjmp reads it, whatever they are called by, and each once:
   a buffer in the heap is used, and that is a fact.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: for o in -O0 -O2 "-O2 -mllvm -heapprof-naive" "-O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2" -DMASK; do \
// RUN:   %clang_heapprof $o %s -o %t && %run %t && \
// RUN:   %python %S/../edge/Inputs/expectation.py --score=%heapprof_score --source=%s %dump && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | FileCheck %s || exit 1; done
// EXPECT: chunk(size=200).writes == 1
// EXPECT: chunk(size=200).reads == 3
// EXPECT: chunk(size=200).lo == 0 and chunk(size=200).hi == 200
// EXPECT: chunk(size=208).writes == 1 and chunk(size=208).reads == 0
// CHECK-NOT: what is said of accesses
// CHECK-NOT: never read nor written
#include <setjmp.h>
#include <stdlib.h>
#ifdef MASK
#define SET(buffer) sigsetjmp(buffer, 1)
#define JUMP siglongjmp
#else
#define SET(buffer) _setjmp(buffer)
#define JUMP longjmp
#endif

__attribute__((noinline)) static void leave(void *buffer, int times) {
  JUMP(*(jmp_buf *)buffer, times);
}

int main(void) {
  _Static_assert(sizeof(jmp_buf) == 200, "the size of one chunk");
  void *volatile buffer = malloc(sizeof(jmp_buf));
  void *volatile other = malloc(208);
  int times = SET(*(jmp_buf *)buffer);
  if (times < 3)
    leave(buffer, times + 1);
  if (SET(*(jmp_buf *)other))
    return 1;
  free(buffer);
  free(other);
  return 0;
}
