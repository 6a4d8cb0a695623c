/* allocated-before-window.c - a forked child frees and reallocates chunks of its parent's window.
   Those frees are ignored but counted; what the realloc begins is the child's own chunk.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O0 -g %s -o %t && %run %t 2>%t.err
// RUN: count 0 < %t.err
// RUN: %expect --process=child %dump
// RUN: %expect --process=parent --prefix=PARENT %dump
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void *parents(size_t size) { return malloc(size); }
static void *grown(void *p) { return realloc(p, 500); }
static void *own(void) { return malloc(33); }

int main(void) {
  char *p = parents(10), *q = parents(20), *r = parents(30);
  char *big = parents(200000);
  strcpy(q, "kept");
  pid_t child = fork();
  if (child == 0) {
    p[0] = 1;
    free(p);
    free(big);
    q = grown(q);
    if (strcmp(q, "kept"))
      return 1;
    char *s = own();
    s[0] = 1;
    free(s);
    return 0; /* q, 500 bytes, lives on; r is the parent's */
  }
  int status;
  waitpid(child, &status, 0);
  free(p);
  (void)r;
  return status;
}
// EXPECT: process.inherited_frees == 3 and process.invalid_frees == 0
// EXPECT: process.allocations == 2 and process.frees == 1
// EXPECT: process.peak_bytes == 533 and process.live_bytes_at_end == 500
// EXPECT: sorted(c.size for c in chunks()) == [33, 500]
// EXPECT: point("grown").writes == 1 and (chunk(size=500).lo, chunk(size=500).hi) == (0, 20)
// EXPECT: sum(p.chunks for p in points("parents")) == 0
// PARENT: process.inherited_frees == 0 and process.allocations == 4 and process.frees == 1
// PARENT: sorted(c.size for c in chunks()) == [10, 20, 30, 200000]
// PARENT: chunk(size=10).writes == 0 and process.live_bytes_at_end == 200050
