// Casts of what malloc and a call of operator new return.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: %clangxx_heapprof -O2 %s -o %t && %run %t && %check_types
#include "rows.h"
#include <cstdlib>
#include <new>

static volatile std::size_t length = 486;

int main() {
  keep((R *)::operator new(501));              // TYPE 501 argument R
  keep(reinterpret_cast<R *>(malloc(502)));    // TYPE 502 argument R
  keep(static_cast<R *>(std::calloc(1, 503))); // TYPE 503 argument R
  keep(new (malloc(504)) Q);                   // TYPE 504 argument Q
  keep(::operator new(505));                   // TYPE 505 -
  // No array of the text that is added.
  keep(malloc(length + sizeof(L".tmp"))); // TYPE 506 argument wchar_t
  return 0;
}
