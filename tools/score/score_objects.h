/* score_objects.h - allocation objects as a table, and which of them are excessive, in words.
   The same, with exact numbers, are in the JSON document.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SCORE_OBJECTS_H
#define HP_SCORE_OBJECTS_H

#include "heapprof_object.h"
#include "score_options.h"

#include <stdio.h>

/* VERDICT is NULL if nobody asked for one. */
void hp_score_objects(FILE *out, const struct hp_score_options *o,
                      const hp_profile *profile, const hp_objects *objects,
                      const struct hp_excess_verdict *verdict, size_t width);

#endif
