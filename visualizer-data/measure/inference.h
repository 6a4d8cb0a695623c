/* inference.h - what the chunks of a point say about it, without a score.
   Called by metric.c only, which owns the tally.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_INFERENCE_H
#define HP_INFERENCE_H

#include "measure/tally.h"

/* All inferences but growing, which follows from the chains. */
void hp_infer_class(struct hp_tally *tally, const struct hp_class_sum *class);
/* The same for a class that nobody looked at: they live, and no more is known. */
void hp_infer_unseen(struct hp_tally *tally, const struct hp_class_sum *class);
/* Takes back all that depends on what was accessed. */
void hp_infer_no_accesses(struct hp_tally *tally);
void hp_infer_add(struct hp_tally *sum, const struct hp_tally *tally);

void hp_infer_add_growth(struct hp_growth_sum *sum,
                         const struct hp_growth_sum *more);

/* What functions of the C++ library do that allocate. */
enum hp_enlarging {
  HP_ENLARGES_NOTHING,
  HP_ENLARGES_BY_MOVES, /* a container's elements move into new storage */
  HP_ENLARGES_BY_LINKS  /* its nodes are linked anew, from new storage */
};

/* Chains of which only these functions say what they are become known, or are
   none. */
void hp_infer_name_growth(struct hp_tally *tally, enum hp_enlarging how);

void hp_infer_finish(const struct hp_tally *tally, struct hp_point *point);

#endif
