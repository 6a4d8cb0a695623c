/* deep_copy.h - copies of the program's own classes, told by their constructors.
   Whose the copy is, who asked for it, and whether its original was soon gone.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_DEEP_COPY_H
#define HP_DEEP_COPY_H

#include "base/store.h"
#include "heapprof.h"

struct hp_deep_copy {
  const struct hp_frame *place; /* who copies; NULL: it is no copy */
  const char *subject;          /* the class, short */
  bool by_header; /* that calls a library's template, which does */
  /* Of a vector, which moves what cannot throw, and drops the originals. */
  bool by_growth;
  bool by_operator; /* that makes a new value of what it copies, as + does */
};

/* Whether POINT allocates for the copy constructor or copy assignment of a class
   that is not the library's: the outermost one, since the others are of its
   members.  Who copies is the first function of the program around it that is
   not that class's own; of an installed header's, POINT's place, which calls that. */
hp_status hp_deep_copy_find(struct hp_deep_copy *copy,
                            const struct hp_point *point,
                            struct hp_store *store, struct hp_error *error);

/* For each class and function: the copies that the function asked for, and the
   short-lived chunks made below it by other constructors of the class, or dropped by
   the class's destructor in it. */
struct hp_originals {
  struct hp_original *table; /* hash table; {0} is empty */
};

/* Adds the chunks of POINT, which is COPY or, without a place, none.  SOON_GONE: they
   live for a short time.  False without memory. */
bool hp_originals_add(struct hp_originals *all, const struct hp_point *point,
                      const struct hp_deep_copy *copy, bool soon_gone,
                      struct hp_store *store);

/* The function that made COPY has as many originals as half of its copies. */
bool hp_originals_are_gone(const struct hp_originals *all,
                           const struct hp_deep_copy *copy);

/* One line copies at several points, as where a container has room and where it has
   none: half as many as COPY's line makes to stay live for a short time. */
bool hp_originals_are_copied_for_short(const struct hp_originals *all,
                                       const struct hp_deep_copy *copy);

void hp_originals_free(struct hp_originals *all);

#endif
