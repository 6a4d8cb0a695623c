/* renamed.h - pairs what is left alone because a function or a type has another name.
   Only names take part that one of the runs does not have anywhere.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_RENAMED_H
#define HP_RENAMED_H

#include "align.h"

/* PAIRS are those of OLD_POINTS and NEW_POINTS, all of them points.  False
   without memory. */
bool hp_pair_renamed(struct hp_points old_points, struct hp_points new_points,
                     struct hp_pairs *pairs);

#endif
