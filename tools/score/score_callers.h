/* score_callers.h - tables of threads, and of allocation functions.
   Text only; the numbers are those of the JSON document, rounded.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SCORE_CALLERS_H
#define HP_SCORE_CALLERS_H

#include "heapprof.h"

#include <stdio.h>

/* At most LIMIT rows of each process, those that allocated most first. */
void hp_score_threads(FILE *out, const hp_profile *profile, size_t limit,
                      size_t width);
void hp_score_calls(FILE *out, const hp_profile *profile, size_t width);

#endif
