/* bare_modules.h - modules with hooks that have no debug information: what they
   allocate has no lines, which is told with what to do.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_BARE_MODULES_H
#define HP_BARE_MODULES_H

#include "profile/profile_inside.h"

/* A note for each module of PROFILE, whose symbols were asked for, of which no
   allocation has a line, but of those whose file is not there, which is told
   already. */
hp_status hp_note_bare_modules(struct hp_profile *profile,
                               struct hp_error *error);

#endif
