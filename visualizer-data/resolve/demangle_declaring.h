/* demangle_declaring.h - names of C++'s templates that libiberty cannot read, as they declare a parameter:
   those that are there for some types only (enable_if), by clang 18 and later.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_DEMANGLE_DECLARING_H
#define HP_DEMANGLE_DECLARING_H

#include <libiberty/demangle.h>

#define HP_DEMANGLE_OPTIONS (DMGL_AUTO | DMGL_PARAMS | DMGL_ANSI)

/* The name of SYMBOL's function, which begins with "_Z", without its own arguments and
   parameters, or without what it requires behind these; else as hp_demangle(). */
char *hp_demangle_declaring(const char *symbol);

#endif
