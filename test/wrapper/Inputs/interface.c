/* interface.c - uses the public header and one chunk; fails to compile without the macros.
   Valid as C and as C++.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <sanitizer/heapprof_interface.h>
#include <stdlib.h>

#if !__SANITIZE_HEAPPROF__ || !__HEAPPROF__
#error "not compiled for heapprof"
#endif

int main(void) {
  char *p = (char *)malloc(10);
  if (p == NULL)
    return 1;
  __heapprof_record_write(p, 10);
  free(p);
  return 0;
}
