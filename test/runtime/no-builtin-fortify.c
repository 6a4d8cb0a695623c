/* no-builtin-fortify.c - copies that _FORTIFY_SOURCE checks against no size are counted once with -fno-builtin, too:
   there they are calls until the code generator makes stores of them.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: for o in -O1 -O2 "-O2 -fno-builtin" "-O1 -fno-builtin" "-O2 -fno-builtin -mllvm -heapprof-naive"; do \
// RUN:   %clang_heapprof $o -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 %s -o %t && %run %t && \
// RUN:   %python %S/../edge/Inputs/expectation.py --score=%heapprof_score --source=%s %dump || exit 1; done
// EXPECT: chunk(size=777).writes == 3 and chunk(size=777).reads == 0
// EXPECT: chunk(size=777).hi == 200
// EXPECT: chunk(size=555).writes == 0 and chunk(size=555).reads == 2
#include <stdlib.h>
#include <string.h>

__attribute__((noinline)) static void *fill(char *to, const char *from,
                                            size_t n) {
  memset(to, 0, 32);
  memcpy(to + 100, from, n);
  return memmove(to + 150, from, n);
}

int main(void) {
  char *volatile to = malloc(777), *volatile from = malloc(555);
  char *end = fill(to, from, 50);
  int wrong = end != to + 150;
  free(to);
  free(from);
  return wrong;
}
