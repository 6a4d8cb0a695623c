/* score_details.h - what --stacks says below a point's row: all that is known of it, and its stack.
   Also marks the numbers of a point that are estimates.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SCORE_DETAILS_H
#define HP_SCORE_DETAILS_H

#include "heapprof_finding.h"
#include "number_text.h"

#include <stdbool.h>
#include <stdio.h>

/* ALL_FRAMES: those of libraries, too, not one line for such as lie side by
   side. */
void hp_score_details(FILE *out, const struct hp_point *p, bool all_frames);

/* A number of P, with "~" if it is an estimate from samples. */
struct hp_number_text hp_score_marked(const struct hp_point *p,
                                      struct hp_number_text number);

#endif
