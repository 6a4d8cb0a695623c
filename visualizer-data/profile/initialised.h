/* initialised.h - what of a point's chunks was initialised and not accessed later.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_INITIALISED_H
#define HP_INITIALISED_H

#include "profile/profile_inside.h"

/* Sets initialised of VIEW, a point of PROCESS; of a merged dump what all its processes
   say. */
hp_status hp_initialised_find(struct hp_profile *profile,
                              const struct hp_profile_process *process,
                              const struct hp_dump_point *raw,
                              struct hp_point *view, struct hp_error *error);

#endif
