/* text_column.h - names on a terminal: safe to print, cut and padded.
   A name is foreign data: control characters never get through.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_TEXT_COLUMN_H
#define HP_TEXT_COLUMN_H

#include <stddef.h>
#include <stdio.h>

/* Columns that TEXT takes. */
size_t hp_text_width(const char *text);

/* TEXT with "?" for each control character and each byte that is no UTF-8. */
void hp_text_put(FILE *out, const char *text);

/* As hp_text_put, but exactly WIDTH columns: padded with blanks, or with ".."
   in place of what is too long, at the front (the end of a path or of a
   qualified name tells most) or at the back. */
enum hp_text_cut { HP_CUT_FRONT, HP_CUT_BACK };
void hp_text_fit(FILE *out, const char *text, size_t width,
                 enum hp_text_cut cut);

/* PREFIX and TEXT broken at blanks into lines of at most WIDTH columns, as far
   as its words allow. */
void hp_text_wrap(FILE *out, const char *prefix, const char *text,
                  size_t width);

#endif
