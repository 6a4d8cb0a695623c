/* demangle.h - readable names from linkage names (C++, Rust).
   A name that is not mangled stays as it is; C names are never touched.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_DEMANGLE_H
#define HP_DEMANGLE_H

/* A string to free(), or NULL if SYMBOL is not mangled (or memory is out). */
char *hp_demangle(const char *symbol);

#endif
