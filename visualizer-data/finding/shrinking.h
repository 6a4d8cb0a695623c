/* shrinking.h - containers that shrink_to_fit takes the room from which they soon need.
   Each time they grow anew, and are copied twice.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SHRINKING_H
#define HP_SHRINKING_H

#include <stdio.h>

#include "finding/finding_verdict.h"
#include "finding/suspect.h"

/* Who calls shrink_to_fit of what grows again. */
struct hp_shrinkers {
  const struct hp_frame **places;
  size_t count, room;
};

/* Of all points, before any is asked.  False without memory. */
bool hp_shrinkers_add(struct hp_shrinkers *all, const struct hp_point *point);
void hp_shrinkers_free(struct hp_shrinkers *all);

/* The one that made or freed most of POINT's chunks; NULL: none did. */
const struct hp_frame *hp_shrinkers_find(const struct hp_shrinkers *all,
                                         const struct hp_point *point);

/* The rule's row (rules_made_again.c). */
bool hp_is_shrunk_again(const struct hp_suspect *s, struct hp_verdict *v);
void hp_put_shrinking(FILE *out, const struct hp_verdict *v);
void hp_put_shrinking_remedy(FILE *out, const struct hp_verdict *v);

#endif
