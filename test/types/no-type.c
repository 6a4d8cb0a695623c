// Calls that say nothing have no type, rather than a wrong one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: %clang_heapprof -O2 %s -o %t && %run %t && %check_types
#include "rows.h"

struct Hidden;

int main(void) {
  void *untyped = malloc(124); // TYPE 124 -
  keep(untyped);
  keep(malloc(125)); // TYPE 125 -
  // A type of which only the name is known here has its name.
  struct Hidden *hidden = malloc(126); // TYPE 126 argument Hidden
  keep(hidden);
  void *(*volatile pointer)(size_t) = malloc;
  struct Q *indirect = pointer(127); // TYPE 127 wrapper Q
  keep(indirect);
  void *silent = pointer(128); // TYPE 128 -
  keep(silent);
  // Assigned from elsewhere as well, so that a view need not be of this chunk.
  static struct R other;
  void *mixed = &other;
  struct R *seen = mixed;
  mixed = malloc(129); // TYPE 129 -
  keep(seen);
  keep(mixed);
  return 0;
}
