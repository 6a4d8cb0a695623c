// rows.h - what the programs of this folder share, each of which is one row.
// Each is a test by itself, and part of every-build.c or every-build.cpp.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef ROWS_H
#define ROWS_H

#include <stdlib.h>

struct Q {
  int a, b;
};
struct R {
  double d[3];
};

// Until the program ends, so that no chunk is optimised away.
static void *volatile sink;
static inline void keep(const void *p) { sink = (void *)p; }

#endif
