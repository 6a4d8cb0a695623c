/* generation.h - chunks of several points that one function has made and freed in
   each of its turns: a family, for which one arena or one object would do.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_GENERATION_H
#define HP_GENERATION_H

#include "base/store.h"
#include "finding/finding_verdict.h"
#include "heapprof.h"

/* A point whose chunks come in generations: when one begins, all of those before
   are gone. */
struct hp_family_member {
  const struct hp_point *point;
  const struct hp_frame *turn; /* of the function below which all of them are
                                  both made and freed, at its call */
  bool
      is_outermost; /* that starts the program, and has lines for all it does */
  bool is_guest;  /* made by a function that drops it when it is called again */
  bool is_inside; /* the turns are an installed header's, which TURN calls */
  /* Once sorted: */
  const struct hp_frame *place; /* of the family; NULL: none */
  struct hp_turns turns;        /* there: none of a family that is in another */
};

struct hp_families {
  struct hp_family_member *members; /* once sorted, by point */
  size_t count, room;
};

/* The frame of POINT's stack whose function both made and freed its chunks, through
   others, and in how many turns; NULL: it has no generations, or they are of one
   function alone.  *INSIDE: that is one of an installed header, and the frame who calls
   it. */
const struct hp_frame *hp_turn_find(const struct hp_point *point,
                                    uint64_t *turns, bool *inside);

/* FRAME is of POINT's stack; its function both made and freed the chunks, through
   others or itself, again and again, and has had none at times. */
bool hp_turn_is_within(const struct hp_point *point,
                       const struct hp_frame *frame);

/* The same, or the function that called FRAME's did so, as with what that returns. */
bool hp_turn_is_of_caller(const struct hp_point *point,
                          const struct hp_frame *frame);

/* Adds POINT if it has one.  False without memory. */
bool hp_families_add(struct hp_families *all, const struct hp_point *point);

/* Once all are there: puts together those of one function at one time, and families
   whose turns are within those of another: one arena would do for both.  False
   without memory. */
bool hp_families_sort(struct hp_families *all);

/* Where the turns of POINT's family are; the same frame for all of it.  NULL: it has
   none that is worth more than its points are one by one. */
const struct hp_frame *hp_families_place(const struct hp_families *all,
                                         const struct hp_point *point);

/* What POINT says of the number of these turns, which is not known but from below: one
   that made nothing, or of which something stayed, is not seen. */
struct hp_turns hp_families_turns(const struct hp_families *all,
                                  const struct hp_point *point);

/* POINT's turns are those of a library that this place calls. */
bool hp_families_are_inside(const struct hp_families *all,
                            const struct hp_point *point);

void hp_families_free(struct hp_families *all);

#endif
