// posix_memalign: what its first argument points to, by a pointer to T *.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: %clang_heapprof -O2 %s -o %t && %run %t && %check_types
#define _GNU_SOURCE
#include "rows.h"

int main(void) {
  struct R *out;
  if (posix_memalign((void **)&out, 64, 208) != 0) // TYPE 208 argument R
    return 1;
  keep(out);
  void *sized;
  if (posix_memalign(&sized, 64, 27 * sizeof(struct Q)) !=
      0) // TYPE 216 argument Q
    return 1;
  keep(sized);
  void *nothing;
  if (posix_memalign(&nothing, 64, 209) != 0) // TYPE 209 -
    return 1;
  keep(nothing);
  // What fails allocates nothing.
  return posix_memalign((void **)&out, 3, 209) == 0;
}
