/* whole_runs.h - all points of two runs, paired.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_WHOLE_RUNS_H
#define HP_WHOLE_RUNS_H

#include "pairing.h"

/* PROFILES: old, new.  *PAIRS is to be freed. */
hp_status hp_pair_runs(hp_profile *const profiles[2], struct hp_pair **pairs,
                       size_t *count, struct hp_error *error);

#endif
