/* site_text.h - where a point is, in as many columns as there are.
   The place is kept whole as long as it fits; the function gives way first.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SITE_TEXT_H
#define HP_SITE_TEXT_H

#include "heapprof.h"

#include <stdio.h>

/* A function's name, without what it is given and returns, in exactly WIDTH columns; NULL:
   "-". */
void hp_site_fit_function(FILE *out, const char *function, size_t width);

/* "FUNCTION FILE:LINE" in exactly WIDTH columns. */
void hp_site_fit(FILE *out, const struct hp_frame *f, size_t width);

/* "FUNCTION (FILE:LINE)", uncut, without directories and parameters. */
void hp_site_brief(FILE *out, const struct hp_frame *f);

/* The same uncut, with directories, column and parameters. */
void hp_site_put(FILE *out, const struct hp_frame *f);

/* How many of STACK from the first on are one line, "... 4 frames of libc.so.6":
   those of one library that lie side by side. */
size_t hp_site_run(const struct hp_frame *const *stack, size_t count);

/* That line, or if RUN is 1 "#NUMBER" and the first, with what REMARK says. */
void hp_site_put_run(FILE *out, const struct hp_frame *const *stack,
                     size_t number, size_t run, const char *remark);

#endif
