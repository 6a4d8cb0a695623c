/* score_summary.h - what stands above the table: processes, totals, means,
   notes. Text only; the numbers are those of the JSON document, rounded.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SCORE_SUMMARY_H
#define HP_SCORE_SUMMARY_H

#include "heapprof.h"

#include <stdio.h>

void hp_score_summary(FILE *out, const hp_profile *profile, size_t width);

#endif
