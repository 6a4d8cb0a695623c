/* csv_text.h - texts as fields of CSV, as RFC 4180 has it, whatever they hold.
   What is no UTF-8 becomes U+FFFD.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_CSV_TEXT_H
#define HP_CSV_TEXT_H

#include <stdio.h>

/* TEXT in quotes where it has to be; NULL is an empty field. */
void hp_csv_text(FILE *out, const char *text);
/* The same, in quotes in any case: a column of names that may be numbers. */
void hp_csv_quoted(FILE *out, const char *text);
/* A part of a field whose quotes the caller writes. */
void hp_csv_inside(FILE *out, const char *text);

#endif
