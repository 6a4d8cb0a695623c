/* misuse.h - what the program did to the chunks of a point that it should not:
   accesses beyond their size, and leaks unless they are suppressed.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_MISUSE_H
#define HP_MISUSE_H

#include "profile/profile_inside.h"

/* Sets overrun and leak_suppressed of POINT's view, whose stack and inferences
   are there, and counts no leak that is suppressed; PROCESS is the first of its
   dump. */
hp_status hp_misuse_find(struct hp_profile *profile,
                         const struct hp_profile_process *process,
                         const struct hp_dump_point *raw,
                         struct hp_profile_point *point,
                         struct hp_error *error);

#endif
