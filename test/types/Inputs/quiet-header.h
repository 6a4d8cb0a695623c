// quiet-header.h - a header of the program's own that wants no warnings: what it allocates is asked for by those who include it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma GCC system_header
#include <stddef.h>
#include <stdlib.h>

struct Arrays {
  static void *make(size_t Size, size_t Count);
  template <typename T> static T *of(size_t Count) {
    return reinterpret_cast<T *>(make(sizeof(T), Count));
  }
};
inline void *textOf(size_t Size) { return malloc(Size); }
