/* mapping_view.h - what a process mapped itself, with frames.
   Once there is a symbolizer.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_MAPPING_VIEW_H
#define HP_MAPPING_VIEW_H

#include "profile/profile_inside.h"

/* Sets mapped and mappings of the view of each process. */
hp_status hp_mappings_describe(struct hp_profile *profile,
                               struct hp_error *error);

#endif
