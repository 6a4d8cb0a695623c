/* demangle_d.h - readable names of D's functions, and of the thunks that interfaces lead to.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_DEMANGLE_D_H
#define HP_DEMANGLE_D_H

/* Of SYMBOL, which begins with "_D"; else as hp_demangle(). */
char *hp_demangle_d(const char *symbol);

#endif
