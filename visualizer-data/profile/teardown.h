/* teardown.h - whether the last accesses to a point's chunks used them or took
   them down.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_TEARDOWN_H
#define HP_TEARDOWN_H

#include "profile/profile_inside.h"

/* Sets teardown of VIEW, a point of PROCESS; of a merged dump what all its processes
   say. */
hp_status hp_teardown_find(struct hp_profile *profile,
                           const struct hp_profile_process *process,
                           const struct hp_dump_point *raw,
                           struct hp_point *view, struct hp_error *error);

/* Whether all that goes on at READERS, addresses in the process of RAW, takes chunks
   down, and who does at the first of them; NULL: none, or not ALL do. */
hp_status hp_teardown_takers(struct hp_profile *profile,
                             const struct hp_profile_process *process,
                             const struct hp_dump_point *raw,
                             const uint64_t readers[HP_TEARDOWN_READERS],
                             bool *all, const struct hp_frame **reader,
                             struct hp_error *error);

#endif
