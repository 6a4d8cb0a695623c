/* freer.h - who frees the chunks of each point, past functions that only pass frees on.
   As far as the stacks that were taken of some frees say it.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_FREER_H
#define HP_FREER_H

#include "profile/profile_inside.h"

/* Sets the place of each free, by the stacks of all of them. */
hp_status hp_freers_find(struct hp_profile *profile, struct hp_error *error);

#endif
