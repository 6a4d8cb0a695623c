/* point-without-chunks.c - a forked child knows its parent's points, but has no chunk of them in its window.
   Such a point has no score and takes no part in the global means.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O0 -g %s -o %t && %run %t
// RUN: %expect --process=child %dump
// RUN: %expect --process=parent --prefix=PARENT %dump
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void *before(void) { return malloc(10); }
static void *after(void) { return malloc(20); }

int main(void) {
  char *p = before();
  p[0] = 1;
  pid_t child = fork();
  if (child == 0) {
    char *q = after();
    q[0] = 1;
    return q[0] - 1; /* uses the first of 20 bytes */
  }
  int status;
  waitpid(child, &status, 0);
  return status;
}
// EXPECT: all(p.chunks == 0 and p.bytes == 0 for p in points("before"))
// EXPECT: all(p.severity is None for p in points("before"))
// EXPECT: all(p.scores.lifetime is None for p in points("before"))
// EXPECT: all(p.scores.usage is None for p in points("before"))
// EXPECT: all(p.scores.useful_lifetime is None for p in points("before"))
// EXPECT: all(not i.flagged for p in points("before") for i in p.inferences.values())
// EXPECT: process.allocations == 1 and total.chunks == 1
// EXPECT: near(point("after").scores.usage, 0.05)
// EXPECT: total.usage.points == 1 and near(total.usage.geomean, 0.05)
// EXPECT: total.lifetime.points == 1 and total.lifetime.geomean == 1
// PARENT: point("before").chunks == 1 and not points("after")
// PARENT: process.allocations == 1
