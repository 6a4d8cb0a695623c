/* score_csv.h - one line per point or group, as RFC 4180 has it.
   Columns are named like the members of the JSON document; new ones come last.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SCORE_CSV_H
#define HP_SCORE_CSV_H

#include "score_options.h"

#include <stdio.h>

void hp_score_csv(FILE *out, const struct hp_score_options *o,
                  const struct hp_point *const *points, size_t count);

#endif
