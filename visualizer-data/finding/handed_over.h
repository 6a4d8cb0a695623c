/* handed_over.h - parameters that are taken by value, or by &&, and copied all the same.
   Who calls drops them behind the call, though they could have been moved.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_HANDED_OVER_H
#define HP_HANDED_OVER_H

#include "base/store.h"
#include "heapprof.h"

/* Of one class, one function that takes it so, and one line that calls this. */
struct hp_handover;
struct hp_taker_call;
struct hp_handovers { /* hash tables; {0} is empty */
  struct hp_handover *table;
  struct hp_taker_call *calls;
};

/* What is copied where it could be moved: `taker` copies what it took, the class `subject`. */
struct hp_handed {
  const struct hp_frame *taker; /* NULL: none does */
  const char *subject;          /* short; the store owns it */
  bool by_reference;            /* taken by && */
};

/* POINT makes copies of a class inside a function that takes one so; all such
   points are added before those that may be dropped.  False without memory. */
bool hp_handovers_add_copy(struct hp_handovers *all,
                           const struct hp_point *point,
                           struct hp_store *store);

/* Chunks of POINT are dropped with such parameters. */
bool hp_handovers_add_dropped(struct hp_handovers *all,
                              const struct hp_point *point,
                              struct hp_store *store);

/* What POINT has the copies of; no taker: not as much was dropped as was copied. */
struct hp_handed hp_handovers_find(const struct hp_handovers *all,
                                   const struct hp_point *point,
                                   struct hp_store *store);

/* Most of POINT's chunks are what is dropped so. */
bool hp_handovers_have(const struct hp_handovers *all,
                       const struct hp_point *point, struct hp_store *store);

void hp_handovers_free(struct hp_handovers *all);

#endif
