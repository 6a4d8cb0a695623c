/* score_globals.h - modules of each process, and their largest variables.
   Text only; the numbers are those of the JSON document, rounded.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SCORE_GLOBALS_H
#define HP_SCORE_GLOBALS_H

#include "heapprof_globals.h"

#include <stdio.h>

/* At most LIMIT variables of each process, the largest first. */
void hp_score_globals(FILE *out, const hp_profile *profile,
                      const hp_globals *globals, size_t limit, size_t width);

#endif
