/* libc_symbols.h - of which of libc's functions nobody counts what they read
   and write: those of format/libc_list.def that may touch memory of the heap.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_LIBC_SYMBOLS_H
#define HP_LIBC_SYMBOLS_H

/* SYMBOL as the list has it, if it is such a function; else NULL. */
const char *hp_libc_uncounted(const char *symbol);

#endif
