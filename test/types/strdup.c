// strdup and its kin allocate text, in a wrapper too.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: %clang_heapprof -O2 %s -o %t && %run %t && %check_types
#define _GNU_SOURCE
#include "rows.h"
#include <string.h>
#include <wchar.h>

__attribute__((noinline)) void *copied(const char *text, int n) {
  return strndup(text, n);
}

int main(void) {
  keep(strdup("seventeen letters"));      // TYPE 18 argument char
  keep(strndup("seventeen letters", 12)); // TYPE 13 argument char
  keep(wcsdup(L"wide"));                  // TYPE 20 wrapper wchar_t
  struct R *not_text = copied("seventeen letters", 14); // TYPE 15 argument char
  keep(not_text);
  return 0;
}
