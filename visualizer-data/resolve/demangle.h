/* demangle.h - readable names from linkage names (C++, Rust, D), and what of C a compiler
   made of another function.  Other names of C are never touched.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_DEMANGLE_H
#define HP_DEMANGLE_H

/* A string to free(), or NULL if SYMBOL stays as it is (or memory is out). */
char *hp_demangle(const char *symbol);

#endif
