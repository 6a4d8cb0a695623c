/* relay.h - buffers that one place begins and others make larger: each copy takes over
   from the one before, wherever that was made.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_RELAY_H
#define HP_RELAY_H

#include "heapprof.h"

/* A point at which chunks grow. */
struct hp_relay {
  const struct hp_point *point;
  const struct hp_point
      *begun; /* once sorted: where its chains begin; NULL: here,
                                   or nobody knows */
  const struct hp_point *most; /* the point that copies most */
  const struct hp_point
      *longest;       /* to which its chains lead at most, whatever else
                                     is said of that; NULL: nobody knows */
  uint64_t last_size; /* of the largest chunk */
  size_t places;      /* of them all */
  bool has_sisters;   /* of the same call, of other types, which go on with its
                         chains, or it with theirs */
  bool takes_over; /* its chunks got what realloc made longer elsewhere, once */
};

struct hp_relays {
  struct hp_relay *members; /* once sorted, by point */
  size_t count, room;
};

/* Adds POINT if chunks of it took over from others.  False without memory. */
bool hp_relays_add(struct hp_relays *all, const struct hp_point *point);

/* Once all are there: puts those together whose chains one place has begun. */
void hp_relays_sort(struct hp_relays *all);

/* What POINT belongs to; NULL: its chains are at one place, or nobody knows. */
const struct hp_relay *hp_relays_find(const struct hp_relays *all,
                                      const struct hp_point *point);

/* Where the chains of POINT are longest: there or at a point that goes on with them;
   NULL: nobody knows. */
const struct hp_point *hp_relays_longest(const struct hp_relays *all,
                                         const struct hp_point *point);

/* Whether POINT and others of its call have the same chains. */
bool hp_relays_has_sisters(const struct hp_relays *all,
                           const struct hp_point *point);

/* Whether chunks of POINT did not grow themselves: what another function made longer was
   copied into them when it was whole. */
bool hp_relays_takes_over(const struct hp_relays *all,
                          const struct hp_point *point);

void hp_relays_free(struct hp_relays *all);

#endif
