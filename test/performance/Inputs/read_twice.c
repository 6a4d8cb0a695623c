/* read_twice.c - what a module counts by several calls with the same word.
   For word-hook.test.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdlib.h>

long add(const long *p);
long subtract(const long *p);
long add(const long *p) { return p[0] + p[1]; }
long subtract(const long *p) { return p[0] - p[1]; }

int main(void) {
  long *p = calloc(2, sizeof *p);
  if (!p)
    return 1;
  int status = add(p) != subtract(p);
  free(p);
  return status;
}
