/* score_mappings.h - what each process mapped itself: a table by call stack.
   Text only; the numbers are those of the JSON document, rounded.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SCORE_MAPPINGS_H
#define HP_SCORE_MAPPINGS_H

#include "heapprof.h"

#include <stdio.h>

/* At most LIMIT rows of each process, those that had most at once first; STACKS:
   the whole stack under each. */
void hp_score_mappings(FILE *out, const hp_profile *profile, size_t limit,
                       bool stacks, size_t width);

#endif
