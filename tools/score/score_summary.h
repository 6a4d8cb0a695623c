/* score_summary.h - what stands above the table: processes, totals, means,
   notes. Text only; the numbers are those of the JSON document, rounded.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SCORE_SUMMARY_H
#define HP_SCORE_SUMMARY_H

#include "heapprof.h"

#include <stdio.h>

/* The names of some modules, without their directories: what COUNT_OF and AT
   have. */
void hp_score_modules(FILE *out, const hp_profile *profile,
                      size_t (*count_of)(const hp_profile *profile),
                      const char *(*at)(const hp_profile *profile, size_t i));

/* "PROGRAM ARGS (pid N, rank R)", a line. */
void hp_score_program(FILE *out, const struct hp_process *process,
                      size_t width);

void hp_score_summary(FILE *out, const hp_profile *profile, size_t width);

#endif
