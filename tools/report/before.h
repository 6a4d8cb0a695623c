/* before.h - the earlier run of a page that compares two: its document, and which points are the same.
   Points pair as in heapprof-diff.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_BEFORE_H
#define HP_BEFORE_H

#include "heapprof_report.h"

/* A third of a page at most. */
#define HP_BEFORE_PART 3u

/* Fills BEFORE, for a page of NEW_PROFILE that O asks for. */
hp_status hp_before_make(struct hp_report_before *before,
                         hp_profile *old_profile, hp_profile *new_profile,
                         const struct hp_report_options *o,
                         struct hp_error *error);
void hp_before_free(struct hp_report_before *before);

#endif
