/* score_table.h - the table a person reads: summary, worst points, legend.
   Fits WIDTH columns, stacks excepted; colour says nothing of its own.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SCORE_TABLE_H
#define HP_SCORE_TABLE_H

#include "heapprof_finding.h"
#include "score_options.h"

#include <stdio.h>

/* FINDINGS, of points one by one, say where each can be changed; else NULL. */
void hp_score_table(FILE *out, const struct hp_score_options *o,
                    const hp_profile *profile,
                    const struct hp_point *const *points, size_t count,
                    size_t width, bool color);

#endif
