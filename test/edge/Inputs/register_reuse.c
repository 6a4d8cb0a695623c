/* register_reuse.c - a library without frame pointers: gcc keeps x in the frame pointer's register across malloc.
   Where x is not set, that register still has the value that the caller left in it.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdlib.h>
long uc_value(int n);
void uc_use(long x);
void *uc_make(int n, volatile int *again);
void *uc_make(int n, volatile int *again) {
  long x;
  if (*again)
    x = uc_value(n);
  void *p = malloc(16);
  while (*again) {
    uc_use(x);
    *again = *again - 1;
  }
  return p;
}
