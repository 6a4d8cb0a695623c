/* member_rows.h - what a dump says of the places that a point's chunks were accessed at.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_MEMBER_ROWS_H
#define HP_MEMBER_ROWS_H

#include "profile/profile_inside.h"

/* Sets members of POINT: of a merged dump the rows of all processes that have it. */
hp_status hp_member_rows_find(struct hp_profile *profile,
                              const struct hp_profile_process *process,
                              const struct hp_dump_point *raw,
                              struct hp_profile_point *point,
                              struct hp_error *error);

#endif
