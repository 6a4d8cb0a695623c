/* score_members.h - types as tables of their members.
   Text only; the numbers are those of the JSON document, rounded.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SCORE_MEMBERS_H
#define HP_SCORE_MEMBERS_H

#include "heapprof_members.h"

#include <stdio.h>

/* At most LIMIT types. */
void hp_score_members(FILE *out, const hp_member_types *types, size_t limit,
                      size_t width);

#endif
