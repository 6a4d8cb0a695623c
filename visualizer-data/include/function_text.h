/* function_text.h - names of functions as people say them.
   Without result, parameters, and default arguments of templates.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_FUNCTION_TEXT_H
#define HP_FUNCTION_TEXT_H

/* "void tree<int>::insert(int)" gives "tree<int>::insert", "work [clone .cold]" gives
   "work".  Owned by the
   caller; NULL without memory. */
char *hp_function_short(const char *function);

#endif
