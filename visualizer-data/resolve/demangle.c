/* demangle.c - readable names from linkage names, by libiberty.
   Only names with a known prefix are tried: a C function may be called "_d".
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "resolve/demangle.h"

#include <libiberty/demangle.h>
#include <string.h>

char *hp_demangle(const char *symbol) {
  if (strncmp(symbol, "_Z", 2) != 0 && strncmp(symbol, "_R", 2) != 0)
    return NULL;
  return cplus_demangle(symbol, DMGL_AUTO | DMGL_PARAMS | DMGL_ANSI);
}
