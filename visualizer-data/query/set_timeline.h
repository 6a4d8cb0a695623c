/* set_timeline.h - a process's intervals of time, of the chunks of a set.
   As the runtime counts them of all, but from the log.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SET_TIMELINE_H
#define HP_SET_TIMELINE_H

#include "profile/profile_inside.h"

/* *INTERVALS is the profile's, as many as PROCESS has; NULL where the log does
   not have all chunks of the set. */
hp_status hp_set_make_timeline(hp_profile *profile,
                               const struct hp_profile_process *process,
                               struct hp_interval **intervals,
                               struct hp_error *error);

#endif
