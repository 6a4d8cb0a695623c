// A record with a tail is the record, however its size is spelled.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: %clang_heapprof -O2 %s -o %t && %run %t && %check_types
#include "rows.h"
#include <stddef.h>

struct Flexible {
  int n;
  struct Q q[];
};
struct Text {
  long length;
  char text[1];
};

int main(void) {
  keep(malloc(sizeof(struct Flexible) +
              4 * sizeof(struct Q))); // TYPE 36 argument Flexible
  keep(malloc(offsetof(struct Text, text) +
              23 * sizeof(char))); // TYPE 31 argument Text
  keep(malloc(20 * sizeof(char) +
              offsetof(struct Text, text))); // TYPE 28 argument Text
  return 0;
}
