/* recursion.c - a call that is made again while it goes on is one frame; with collapse_recursion=0 each depth is a point.
   A stack deeper than malloc_context_size is cut, and points that differ only beyond the cut are one.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O0 -g %s -o %t && %run %t && %expect --prefix=FOLDED %dump
// RUN: %env_heapprof_opts=fast_unwind_on_malloc=0 %run %t && %expect --prefix=FOLDED %dump
// RUN: %env_heapprof_opts=check_stacks=1 %run %t 2>&1 | FileCheck --check-prefix=SAME %s
// RUN: %env_heapprof_opts=collapse_recursion=0 %run %t && %expect %dump
// RUN: %env_heapprof_opts=collapse_recursion=0:fast_unwind_on_malloc=0 %run %t && %expect %dump
// RUN: %env_heapprof_opts=collapse_recursion=0:malloc_context_size=4 %run %t && %expect --prefix=CUT %dump
#include <stdlib.h>

static void leaf(void) { free(malloc(10)); }

static void direct(int depth) {
  if (depth)
    direct(depth - 1);
  else
    leaf();
}

static void pong(int depth);
static void ping(int depth) {
  if (depth)
    pong(depth - 1);
  else
    free(malloc(20));
}
static void pong(int depth) { ping(depth); }

int main(void) {
  for (int depth = 0; depth < 10; depth++)
    direct(depth); /* 10 stacks: leaf, 1 to 10 of direct, main */
  for (int depth = 0; depth < 10; depth++)
    ping(depth); /* 10 stacks: ping, 0 to 9 of pong and ping, main */
  return 0;
}
// EXPECT: len(points("leaf")) == 10 and all(p.chunks == 1 for p in points("leaf"))
// EXPECT: len(points("ping")) == 10 and all(p.chunks == 1 for p in points("ping"))
// EXPECT: max(len([f for f in p.stack if f.function == "direct"]) for p in points("leaf")) == 10
// FOLDED: len(points("leaf")) == 2 and sorted(p.chunks for p in points("leaf")) == [1, 9]
// FOLDED: len(points("ping")) <= 3 and sum(p.chunks for p in points("ping")) == 10
// SAME: stacks compared, 0 differ
// CUT: all(len(p.stack) <= 4 for p in document.points)
// CUT: sorted(p.chunks for p in points("leaf")) == [1, 1, 8]
