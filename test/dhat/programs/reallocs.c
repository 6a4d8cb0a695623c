/* reallocs.c - where realloc means another thing to DHAT.
   realloc ends a chunk and begins another, at its own stack (metrics.md 3).
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdlib.h>

static char *resize(char *p, size_t n) { return realloc(p, n); }

int main(void) {
  char *begun = malloc(10);
  begun = resize(begun, 1000); /* moves */
  begun = resize(begun, 20);   /* shrinks */
  begun[19] = begun[0];
  char *fresh = resize(NULL, 30); /* as malloc */
  fresh[0] = 1;
  free(fresh);
  free(begun);
  return 0;
}
