/* plain_realloc.h - forced into Lua: its one realloc becomes malloc and free.
   DHAT and heapprof count a realloc at different stacks; a copy, at the same.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdlib.h>
#include <string.h>

static inline void *plain_realloc(void *p, size_t before, size_t n) {
  void *moved = malloc(n);
  if (moved && p) {
    memcpy(moved, p, before < n ? before : n);
    free(p);
  }
  return moved;
}

/* lauxlib.c's l_alloc is handed the old size, as `osize`. */
#define realloc(p, n) plain_realloc(p, osize, n)
