// What `malloc` is for: sizeof, a conversion, a cast, a macro.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: %clang_heapprof -O2 %s -o %t && %run %t && %check_types
#include "rows.h"
#include <stddef.h>

static volatile size_t length = 120;
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
  // Of a text in the size only the bytes count.
  char *option = malloc(length + sizeof("--")); // TYPE 123 argument char
  keep(option);
  char *constant = malloc(sizeof "constant"); // TYPE 9 argument char
  keep(constant);
  static const char ending[] = ".tmp";
  static const long heads[10];
  char *file = malloc(sizeof ending + length); // TYPE 125 argument char
  keep(file);
  wchar_t *wide = malloc(sizeof L"wide text"); // TYPE 40 argument int
  keep(wide);
  // So of an array to which others are added; a whole one stays one.
  unsigned char *packet =
      malloc(length + sizeof heads); // TYPE 200 argument unsigned char
  keep(packet);
  char (*rows)[50] = malloc(3 * sizeof *rows); // TYPE 150 argument char[50]
  keep(rows);
  // Where there is no cast, too: what is added is no array of such.
  void *untold = malloc(length + sizeof("--")); // TYPE 123 argument char
  keep(untold);
  void *more = malloc(length + sizeof heads); // TYPE 200 argument long
  keep(more);
  void *texts = malloc(3 * sizeof(char[50])); // TYPE 150 argument char[50]
  keep(texts);
  return 0;
}
