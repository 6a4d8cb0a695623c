/* regrown.h - copies of containers that are soon made larger, and copied once more by that.
   A copy that nobody changes is another matter (copies.h).
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_REGROWN_H
#define HP_REGROWN_H

#include <stdio.h>

#include "finding/finding_verdict.h"
#include "finding/suspect.h"

/* The copies that PLACE makes, or what they grow to before they grow once more. */
struct hp_regrown_step {
  const struct hp_point *point;
  const struct hp_frame *place;
};

struct hp_regrown {
  struct hp_regrown_step *steps;
  size_t count, room;
};

/* Of all points, before any is asked; then what grows on, of COUNT of them.  False without
   memory. */
bool hp_regrown_add(struct hp_regrown *all, const struct hp_point *point);
bool hp_regrown_go_on(struct hp_regrown *all,
                      const struct hp_point *const *points, size_t count);
void hp_regrown_free(struct hp_regrown *all);

/* The place of the copies that POINT's chunks are, or take over from; NULL: of none. */
const struct hp_frame *hp_regrown_find(const struct hp_regrown *all,
                                       const struct hp_point *point);

/* What made_per_call says of them (rules_made_again.c). */
bool hp_is_regrown(const struct hp_suspect *s, struct hp_verdict *v);
void hp_put_regrown(FILE *out, const struct hp_verdict *v);
extern const char hp_regrown_remedy[];

#endif
