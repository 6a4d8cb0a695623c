/* recursion.c - each depth of a recursion is a point of its own, unless collapse_recursion folds repeated frames.
   A stack deeper than malloc_context_size is cut, and points that differ only beyond the cut are one.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O0 -g %s -o %t && %run %t && %expect %dump
// RUN: %env_heapprof_opts=collapse_recursion=1 %run %t && %expect --prefix=COLLAPSED %dump
// RUN: %env_heapprof_opts=malloc_context_size=4 %run %t && %expect --prefix=CUT %dump
// RUN: %env_heapprof_opts=fast_unwind_on_malloc=0 %run %t && %expect %dump
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
// COLLAPSED: len(points("leaf")) == 2 and sorted(p.chunks for p in points("leaf")) == [1, 9]
// COLLAPSED: len(points("ping")) <= 3 and sum(p.chunks for p in points("ping")) == 10
// CUT: all(len(p.stack) <= 4 for p in document.points)
// CUT: sorted(p.chunks for p in points("leaf")) == [1, 1, 8]
