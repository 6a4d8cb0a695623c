/* content_share.h - what the bytes of some chunks of a point say of all of them.
   The formulas are those of docs/metrics.md, "Contents".
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_CONTENT_SHARE_H
#define HP_CONTENT_SHARE_H

#include "measure/tally.h"

/* TALLY is of the point and has its chunks and bytes. */
void hp_contents_measure(struct hp_tally *tally,
                         const struct hp_contents_sum *sum);

void hp_contents_add(struct hp_contents *sum, const struct hp_contents *more);

#endif
