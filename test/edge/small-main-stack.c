/* small-main-stack.c - a main stack of 20 KiB, as `ulimit -s 20` leaves it, is enough; the environment takes 3 of them.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O1 -g %s -o %t
// RUN: rm -rf %t.small && (ulimit -s 20; env -i PAD=$(head -c 3500 /dev/zero | tr '\0' x) HEAPPROF_OPTIONS=dump_dir=%t.small %t)
// RUN: %expect %t.small
#include <stdlib.h>
static void *volatile sink;
int main(void) {
  sink = malloc(55);
  free(sink);
  return 0;
}
// EXPECT: sum(p.chunks for p in points("main")) == 1
