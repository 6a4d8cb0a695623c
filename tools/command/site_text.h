/* site_text.h - where a point is, in as many columns as there are.
   The place is kept whole as long as it fits; the function gives way first.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SITE_TEXT_H
#define HP_SITE_TEXT_H

#include "heapprof.h"

#include <stdio.h>

/* "FUNCTION FILE:LINE" in exactly WIDTH columns. */
void hp_site_fit(FILE *out, const struct hp_frame *f, size_t width);

/* "FUNCTION (FILE:LINE)", uncut, without directories and parameters. */
void hp_site_brief(FILE *out, const struct hp_frame *f);

/* The same uncut, with directories, column and parameters. */
void hp_site_put(FILE *out, const struct hp_frame *f);

#endif
