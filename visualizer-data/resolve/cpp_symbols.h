/* cpp_symbols.h - what the C++ library, which has no hooks, does to chunks that
   programs own: of some functions nothing, or nothing that is not counted.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_CPP_SYMBOLS_H
#define HP_CPP_SYMBOLS_H

#include <stdbool.h>

/* SYMBOL is a mangled name.  Streams are not meant to be in the heap, which
   their constructors tell; those are no such functions. */
bool hp_cpp_touches_nothing(const char *symbol);

/* SYMBOL reads or writes characters that it is given itself, or is called for what does; or
   arrays of numbers, too. */
bool hp_cpp_touches_characters(const char *symbol);
bool hp_cpp_touches_numbers(const char *symbol);

/* TYPE is arithmetic, or a pointer: no object of it has member functions.  Or it is
   characters. */
bool hp_cpp_is_plain(const char *type);
bool hp_cpp_is_characters(const char *type);

#endif
