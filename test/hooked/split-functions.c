/* split-functions.c - functions stay in one piece, whatever places their parts: what all of them allocate has known accesses.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang -O2 -fbasic-block-sections=all %s -S -o - | FileCheck --check-prefix=SPLIT %s
// RUN: for o in -fbasic-block-sections=all "-fbasic-block-sections=all -fuse-ld=lld" -fsplit-machine-functions; do \
// RUN:   %clang_heapprof -O2 $o %s -o %t && %run %t && \
// RUN:   %heapprof_score --json %dump/heapprof.* | %python %S/Inputs/unknown.py rare | FileCheck %s || exit 1; done
// RUN: %clang_heapprof -O2 -fbasic-block-sections=all %s -S -o - | FileCheck --check-prefix=WHOLE %s
// SPLIT: rare.__part.1:
// WHOLE: rare:
// WHOLE-NOT: .__part.
// CHECK: rare: known True, usage 1
#include <stdlib.h>
#include <string.h>

__attribute__((noinline)) char *rare(int often, size_t size) {
  if (__builtin_expect(often, 1))
    return NULL;
  char *bytes = malloc(size);
  for (size_t i = 0; i < size; i++)
    bytes[i] = (char)i;
  return bytes;
}

int main(int count, char **arguments) {
  (void)arguments;
  char *bytes = rare(count > 1, 100);
  int sum = 0;
  for (int i = 0; i < 100; i++)
    sum += bytes[i];
  free(bytes);
  return sum == 0;
}
