/* pairing.h - which row of one profile is which row of another.
   Points pair by the functions of their stacks and by type, groups by key.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_PAIRING_H
#define HP_PAIRING_H

#include "heapprof.h"

/* One of both is NULL if only the other run has it. */
struct hp_pair {
  const struct hp_point *old_point, *new_point;
};

struct hp_points {
  const struct hp_point *const *points;
  size_t count;
};

/* Of COUNT frames each. */
int hp_compare_lines(const struct hp_frame *const *a,
                     const struct hp_frame *const *b, size_t count);

/* Pairs every row of OLD_POINTS and NEW_POINTS, in no order that matters but
   always the same.  Numbers that the compiler gives to lambdas, and what it adds
   to the names of its copies of a function, may differ, and lines may have
   moved: where a stack of functions is there more than once, align.h says what
   pairs.  renamed.h says which of other names do,
   unnamed.h which without.  *PAIRS is to be freed; false without memory. */
bool hp_pair_up(struct hp_points old_points, struct hp_points new_points,
                struct hp_pair **pairs, size_t *count);

#endif
