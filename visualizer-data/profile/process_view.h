/* process_view.h - what a user sees of a process, from the header and end of
   its dump. And what the end would have said, where there is none.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_PROCESS_VIEW_H
#define HP_PROCESS_VIEW_H

#include "profile/profile_inside.h"

/* Short-lived means less than this, if nobody asks for more. */
#define HP_SHORT_NS 1000000u

/* Sets view and rules of PROCESS, as O asks for them. */
hp_status hp_process_describe(struct hp_profile *profile,
                              struct hp_profile_process *process,
                              const struct hp_open_options *o,
                              struct hp_error *error);

/* What the end record would have said, from the points that are measured. */
hp_status hp_process_recount(struct hp_profile *profile,
                             struct hp_profile_process *process,
                             struct hp_error *error);

#endif
