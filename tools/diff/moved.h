/* moved.h - pairs rows of one place each that are left alone since lines have moved.
   Their functions and files are the same; they stay in the order of their lines.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_MOVED_H
#define HP_MOVED_H

#include "align.h"

/* PAIRS have all rows of both runs, by place, or by site if BY_SITE.  False without
   memory. */
bool hp_pair_moved(struct hp_pairs *pairs, bool by_site);

#endif
