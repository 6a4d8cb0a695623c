/* function_text.h - names of functions as people say them.
   Without result, parameters, and default arguments of templates.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_FUNCTION_TEXT_H
#define HP_FUNCTION_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* "void tree<int>::insert(int)" gives "tree<int>::insert", "work [clone .cold]" gives
   "work".  Owned by the
   caller; NULL without memory. */
char *hp_function_short(const char *function);

/* Characters of the arguments of a template that begin at AT, which is in TEXT, with both
   brackets; 0: none do, or they are not closed. */
size_t hp_template_arguments(const char *text, const char *at);

/* SIZE characters of NAME with HP_OUTLINED for arguments of templates of more than MOST,
   which is no less than its own; owned by the caller, NULL without memory. */
#define HP_OUTLINED "<...>"
char *hp_template_outline(const char *name, size_t size, size_t most);

/* They differ in arguments of templates alone. */
bool hp_functions_are_of_one_template(const char *a, const char *b);

#endif
