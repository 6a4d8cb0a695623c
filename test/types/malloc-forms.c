// What `malloc` is for: sizeof, a conversion, a cast, a macro.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: %clang_heapprof -O2 %s -o %t && %run %t && %check_types
#include "rows.h"

#define NEW(T, n) ((T *)malloc(sizeof(T) * (n)))

int main(void) {
  struct R *times =
      malloc(sizeof(struct R) * 3); // TYPE 72 argument R = 3 of 24
  keep(times);
  struct R *sized = malloc(5 * sizeof *sized); // TYPE 120 argument R
  keep(sized);
  struct Q *converted = malloc(101); // TYPE 101 argument Q = 12 of 8
  keep(converted);
  keep((struct R *)malloc(102)); // TYPE 102 argument R
  keep(NEW(struct R, 6));        // TYPE 144 argument R
  size_t bytes = sizeof(struct Q) * 13;
  keep(malloc(bytes)); // TYPE 104 argument Q
  // What is counted, not what is added to it.
  struct Q *with_number =
      malloc(sizeof(long) + 9 * sizeof(struct Q)); // TYPE 80 argument Q
  keep(with_number);
  struct Q **pointers = malloc(7 * sizeof *pointers); // TYPE 56 argument Q *
  keep(pointers);
  char *text = malloc(116); // TYPE 116 argument char
  keep(text);
  // sizeof says more than the conversion.
  int *numbers = malloc(11 * sizeof(short)); // TYPE 22 argument short
  keep(numbers);
  return 0;
}
