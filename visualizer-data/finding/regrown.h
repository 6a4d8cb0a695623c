/* regrown.h - copies of containers that are soon made larger, and copied once more by that.
   A copy that nobody changes is another matter (copies.h).
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_REGROWN_H
#define HP_REGROWN_H

#include <stdio.h>

#include "finding/finding_verdict.h"
#include "finding/suspect.h"

/* Points of such copies. */
struct hp_regrown {
  const struct hp_point **copies;
  size_t count, room;
};

/* Of all points, before any is asked.  False without memory. */
bool hp_regrown_add(struct hp_regrown *all, const struct hp_point *point);
void hp_regrown_free(struct hp_regrown *all);

/* The place of the copies that POINT's chunks are, or take over from; NULL: of none. */
const struct hp_frame *hp_regrown_find(const struct hp_regrown *all,
                                       const struct hp_point *point);

/* What made_per_call says of them (rules_made_again.c). */
bool hp_is_regrown(const struct hp_suspect *s, struct hp_verdict *v);
void hp_put_regrown(FILE *out, const struct hp_verdict *v);
extern const char hp_regrown_remedy[];

#endif
